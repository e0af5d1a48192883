// Keeps elements usable while a sheet is open: a modal dialog makes everything outside it inert, so they move inside.
let sheets = $state.raw<readonly HTMLElement[]>([]);

/** Show a dialog as modal until the returned function is called. */
export function openModal(dialog: HTMLDialogElement): () => void {
  const before = document.activeElement;
  dialog.showModal();
  dialog.focus({ preventScroll: true }); // not the first button, which a key might press
  sheets = [...sheets, dialog];
  return () => {
    sheets = sheets.filter((sheet) => sheet !== dialog);
    dialog.close();
    // A dialog already removed from the page does not restore the focus
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
}

/** An attachment that moves its element into the topmost sheet; the element needs its own wrapper. */
export function aboveSheets(element: HTMLElement): () => void {
  const home = element.parentElement;
  $effect(() => {
    (sheets.at(-1) ?? home)?.append(element);
  });
  return () => element.remove();
}
