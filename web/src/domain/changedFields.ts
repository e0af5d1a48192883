// A form over something that others may change while it is open.

export function changedFields<Draft extends object>(draft: Draft, before: Draft): Partial<Draft> {
  const names = Object.keys(draft) as (keyof Draft)[];
  const mine = names.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(mine.map((name) => [name, draft[name]])) as Partial<Draft>;
}

/** What others have made of it, but for the fields that were changed in the form; these stay as they were typed. */
export function rebased<Draft extends object>(draft: Draft, before: Draft, now: Draft): Draft {
  return { ...now, ...changedFields(draft, before) };
}

/** A list with an item that it lacked, or without it. */
export function toggled<Item>(list: readonly Item[], item: Item): Item[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}
