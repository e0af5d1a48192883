/** Copy a text; false if the browser does not let us. The text is selected then, to be copied by hand. */
export async function copied(text: string, field: HTMLInputElement | undefined): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.select(); // without https there is no clipboard
    return document.execCommand("copy");
  }
}
