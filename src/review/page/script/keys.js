// Keys that step through the game.

/** Whether a key is meant for a field, not for the page. */
function isForField(target) {
  return target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

/**
 * Calls actions by the name of a key. Keys with a modifier stay those of the browser.
 * @param {Object<string, () => void>} actions
 */
function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== "Escape" && isForField(event.target)) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
