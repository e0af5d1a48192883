// A game that has begun is loaded apart from the room in which one waits for it.

const AGAIN_MS = 3000; // until what could not be loaded is asked for again

export const loadGame = async (): Promise<typeof import("./Game.svelte").default> =>
  (await import("./Game.svelte")).default;

/** Load a part after a while, again and again until it comes; returns what gives up. */
export function loaded<Part>(load: () => Promise<Part>, show: (part: Part) => void, after_ms = 0): () => void {
  const begin = (): void => void load().then(show, () => (timer = window.setTimeout(begin, AGAIN_MS)));
  let timer = window.setTimeout(begin, after_ms);
  return () => window.clearTimeout(timer);
}
