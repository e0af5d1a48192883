// Sentences from the server with marked tiles: "waits for ⟦36p⟧".
import { namesOf, tilesOf, type Tile } from "./notation";

const MARKED = /⟦([^⟦⟧]*)⟧/;

/** Split into alternating words and tiles. */
export function partsOf(sentence: string): (string | readonly Tile[])[] {
  const parts = sentence.split(MARKED).map((part, at) => (at % 2 ? tilesOf(part) : part));
  return parts.filter((part) => part.length > 0);
}

/** The sentence as plain text, with tile names instead of pictures. */
export function spoken(sentence: string): string {
  return partsOf(sentence)
    .map((part) => (typeof part === "string" ? part : namesOf(part)))
    .join("");
}
