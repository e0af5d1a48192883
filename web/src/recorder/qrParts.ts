// What waits on a phone as links that fit into QR codes: another phone reads them, in any order, without a network.
import { keep, kept } from "../lib/deviceStorage";
import { exported, imported, MOST_TEXT, type Starting, type Taken, type Waiting } from "./queue";

/** Characters of the queue in one code: a phone's camera still reads it from a screen. */
export const PER_CODE = 640;
/** More codes than this nobody scans: then a file is better. */
export const MOST_CODES = 12;
const PART = /#queue=(\d{1,2})\.(\d{1,2})\.([0-9a-f]{8})\.([A-Za-z0-9_-]{1,1000})(?![A-Za-z0-9_-])/g;

/** One code of several: `of` is the number of codes, `key` that of all codes of one queue. */
export interface Part {
  at: number;
  of: number;
  key: string;
  text: string;
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST_TEXT) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function written(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function read(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}

/** A number that tells one queue from another (FNV-1a). */
function keyOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/** The links of the codes that hold what waits; `page` opens the game. Null if it takes too many codes. */
export async function links(page: string, starting: readonly Starting[], waiting: readonly Waiting[]): Promise<string[] | null> {
  const bytes = new TextEncoder().encode(exported(starting, waiting)) as Uint8Array<ArrayBuffer>;
  if (bytes.length > MOST_TEXT) return null;
  const text = written(await through(bytes, new CompressionStream("deflate-raw")));
  const of = Math.ceil(text.length / PER_CODE);
  if (of > MOST_CODES) return null;
  const size = Math.ceil(text.length / of);
  const key = keyOf(text);
  return Array.from({ length: of }, (_, i) => `${page}#queue=${i + 1}.${of}.${key}.${text.slice(i * size, (i + 1) * size)}`);
}

/** The parts in links, or in what somebody has pasted. */
export function partsIn(text: string): Part[] {
  return Array.from(text.matchAll(PART), ([, at, of, key = "", part = ""]) => ({ at: Number(at), of: Number(of), key, text: part })).filter(
    ({ at, of }) => at >= 1 && at <= of && of <= MOST_CODES,
  );
}

/** The parts that are known with a new one; those of another queue are forgotten. */
export function withPart(known: readonly Part[], part: Part): Part[] {
  const same = known.filter((other) => other.key === part.key && other.of === part.of && other.at !== part.at);
  return [...same, part].sort((one, other) => one.at - other.at);
}

/** What waits on the other phone, once all parts are there; null if they are damaged. */
export async function decodedParts(parts: readonly Part[]): Promise<Taken | null> {
  const text = parts.map((part) => part.text).join("");
  if (keyOf(text) !== parts[0]?.key) return null;
  try {
    return imported(new TextDecoder().decode(await through(read(text), new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}

export function complete(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.length === parts[0]?.of;
}

const KEPT = "jantaku.recorder.parts";

/** The parts that this phone has read so far: each code may open a page of its own. */
export function keptParts(): Part[] {
  const stored = kept(KEPT);
  return Array.isArray(stored) ? (stored as Part[]) : [];
}

export function keepParts(parts: readonly Part[]): void {
  keep(KEPT, parts);
}
