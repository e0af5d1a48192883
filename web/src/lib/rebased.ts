// A form over something that others have changed while it was open.

/** What others have made of it, but for the fields that were changed in the form; these stay as they were typed. */
export function rebased<Draft extends object>(draft: Draft, before: Draft, now: Draft): Draft {
  const names = Object.keys(draft) as (keyof Draft)[];
  const mine = names.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]));
  return { ...now, ...Object.fromEntries(mine.map((name) => [name, draft[name]])) };
}
