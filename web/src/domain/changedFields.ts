// A form on data that others may change while it is open.

export function changedFields<Draft extends object>(draft: Draft, before: Draft): Partial<Draft> {
  const names = Object.keys(draft) as (keyof Draft)[];
  const mine = names.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(mine.map((name) => [name, draft[name]])) as Partial<Draft>;
}

/** Take over the others' changes, except in fields edited in the form. */
export function rebased<Draft extends object>(draft: Draft, before: Draft, now: Draft): Draft {
  return { ...now, ...changedFields(draft, before) };
}

/** Add the item to the list, or remove it if present. */
export function toggled<Item>(list: readonly Item[], item: Item): Item[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}
