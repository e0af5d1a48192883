// Partial values for tests, with only the relevant fields.
export type Sample<T> = T extends readonly (infer Item)[]
  ? readonly Sample<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Sample<T[Key]> }
    : T;

export function sample<T>(part: Sample<T>): T;
export function sample(part: unknown): unknown {
  return part;
}
