/** Whether a shortcut is pressed anew: a key that is held down answers one question, not the next ones too. */
export function isPress(event: KeyboardEvent): boolean {
  return !event.repeat && isShortcut(event);
}

/** Whether a key press is meant for the game and not for a field, a sheet, or the browser. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (document.querySelector("dialog[open]")) return false;
  return !(event.target instanceof Element && event.target.closest("input, select, textarea"));
}
