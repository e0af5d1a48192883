/** What is shown with another page: what came twice, as after two taps on "more", is shown once. */
export function joined<Item extends { id: string }>(shown: readonly Item[], page: readonly Item[]): Item[] {
  const known = new Set(shown.map(({ id }) => id));
  return [...shown, ...page.filter(({ id }) => !known.has(id))];
}
