// Chat messages at a table.
import type { Said } from "$generated/wire";

export type Saying = Pick<Said, "seat" | "stamp" | "text"> & {
  id: number;
  name: string;
  /** The seed of the player's face. */
  seed: string;
};
