/** Append a page to the rows, without duplicates such as those after two taps on "more". */
export function appendPage<Item extends { id: string }>(shown: readonly Item[], page: readonly Item[]): Item[] {
  const known = new Set(shown.map(({ id }) => id));
  return [...shown, ...page.filter(({ id }) => !known.has(id))];
}
