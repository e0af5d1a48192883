// Marks in the corner of a tile for beginners, drawn as paths so that tiles contain no text.

/** The digits 1 to 9 and the letters of the winds as strokes, in a box of 10 by 16. */
const STROKES = [
  "M2.5 4L6 1V15",
  "M1 4Q1 1 5 1Q9 1 9 4.5Q9 7 1 15H9.5",
  "M1 2.5Q3 1 5 1Q9 1 9 4.5Q9 7.5 4.5 7.5Q9.3 7.5 9.3 11Q9.3 15 5 15Q2 15 .8 13.3",
  "M7 15V1L.7 11H9.8",
  "M9 1H2L1.5 7Q3 6 5 6Q9.3 6 9.3 10.3Q9.3 15 5 15Q2 15 .8 13.5",
  "M8.7 2.2Q7.5 1 5.5 1Q1 1 1 8.5Q1 15 5.2 15Q9.3 15 9.3 10.6Q9.3 6.7 5.3 6.7Q1.6 6.7 1 10",
  "M.8 1H9.3L4 15",
  "M5 7.3Q1.3 7.3 1.3 4.2Q1.3 1 5 1Q8.7 1 8.7 4.2Q8.7 7.3 5 7.3Q.8 7.3 .8 11.2Q.8 15 5 15Q9.2 15 9.2 11.2Q9.2 7.3 5 7.3Z",
  "M1.3 13.8Q2.5 15 4.5 15Q9 15 9 7.5Q9 1 4.8 1Q.7 1 .7 5.4Q.7 9.3 4.7 9.3Q8.4 9.3 9 6",
  "M9 1H1.5V15H9M1.5 8H7.5",
  "M9 3Q8 1 5 1Q1.3 1 1.3 4.3Q1.3 7.2 5 7.8Q9.2 8.5 9.2 11.6Q9.2 15 5 15Q1.8 15 .8 12.7",
  "M.5 1L2.8 15L5 5L7.2 15L9.5 1",
  "M1.3 15V1L8.8 15V1",
] as const;
const HONOURS = 27;
const RANKS = 9;

/** The strokes for a kind: the rank of a suited tile or the letter of a wind; empty for dragons, which need no mark. */
export function numeralOf(kind: number): string {
  return STROKES[kind < HONOURS ? kind % RANKS : kind - HONOURS + RANKS] ?? "";
}
