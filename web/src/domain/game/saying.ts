// What players say to each other at a table.
import type { Said } from "$generated/wire";

export type Saying = Pick<Said, "seat" | "stamp" | "text"> & {
  id: number;
  name: string;
  /** Of the face. */ seed: string;
};
