// What stays within reach while a sheet is open. A modal dialog makes everything outside it inert, so it moves inside.
let sheets = $state.raw<readonly HTMLElement[]>([]);

/** Show a dialog as modal until the returned function is called. */
export function openModal(dialog: HTMLDialogElement): () => void {
  const before = document.activeElement;
  dialog.showModal();
  dialog.focus({ preventScroll: true }); // not its first button, which a key would press
  sheets = [...sheets, dialog];
  return () => {
    sheets = sheets.filter((sheet) => sheet !== dialog);
    dialog.close();
    // A dialog that is already removed from the page does not return the focus
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
}

/** Attach to an element inside a wrapper of its own: it moves into the sheet on top. */
export function aboveSheets(element: HTMLElement): () => void {
  const home = element.parentElement;
  $effect(() => {
    (sheets.at(-1) ?? home)?.append(element);
  });
  return () => element.remove();
}
