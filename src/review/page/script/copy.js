// Copies text. Browsers offer no clipboard to some pages that are opened from the disk.

/** Copies a text, in the old way if the new one is refused. Tells whether it worked. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies a text by selecting it in a field that is removed at once. */
function copyBySelection(text) {
  const focused = document.activeElement;
  const field = html("textarea", { class: "unseen-by-eye", readonly: true, "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    copied = false;
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** A button that copies a text and says what came of it. If it fails, the text is shown. */
function copyButton(text, content) {
  const status = html("span", { class: "copy-status", role: "status" });
  const copy = async () => {
    if (await copyText(content)) {
      status.replaceChildren("Copied");
      setTimeout(() => status.replaceChildren(), 2500);
    } else {
      status.replaceChildren("Copying is not allowed here. The text: ", html("code", { text: content }));
    }
  };
  return html("span", { class: "copy" }, button({ text, name: "copy", class: "quiet", on: copy }), status);
}
