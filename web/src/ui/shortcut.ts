/** Whether a shortcut was newly pressed: a key held down must not answer the next question too. */
export function isPress(event: KeyboardEvent): boolean {
  return !event.repeat && isShortcut(event);
}

/** Whether a key press is for the game and not for a field, a sheet or the browser. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (document.querySelector("dialog[open]")) return false;
  return !(event.target instanceof Element && event.target.closest("input, select, textarea"));
}
