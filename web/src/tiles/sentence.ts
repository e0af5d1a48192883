// Sentences of the server that speak of tiles, which it puts between marks: "waits for ⟦36p⟧".
import { namesOf, tilesOf, type Tile } from "./notation";

const MARKED = /⟦([^⟦⟧]*)⟧/;

/** Words and tiles in turn. */
export function partsOf(sentence: string): (string | readonly Tile[])[] {
  const parts = sentence.split(MARKED).map((part, at) => (at % 2 ? tilesOf(part) : part));
  return parts.filter((part) => part.length > 0);
}

/** The sentence where there can be no pictures. */
export function spoken(sentence: string): string {
  return partsOf(sentence).map((part) => (typeof part === "string" ? part : namesOf(part))).join("");
}
