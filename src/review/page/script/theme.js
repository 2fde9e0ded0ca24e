// Light and dark: the choice of the system, unless the button says otherwise.

/** Where the choice is kept. */
const THEME_KEY = "cazique-review-theme";

/** Reads or writes the choice. Browsers may refuse storage for a file on the disk. */
function storedTheme(value) {
  try {
    if (value) localStorage.setItem(THEME_KEY, value);
    return localStorage.getItem(THEME_KEY);
  } catch {
    return value ?? null;
  }
}

/** Whether the page is dark now. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The button that switches between light and dark. */
function themeButton() {
  const chosen = storedTheme();
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  return button({
    label: "Switch between light and dark",
    name: "sun",
    class: "quiet",
    id: "theme",
    on: () => {
      const next = isDark() ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      storedTheme(next);
    },
  });
}
