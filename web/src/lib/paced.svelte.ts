// Builds what a big moment shows piece by piece: in each frame as many pieces as leave time to draw it.
import { flushSync, getContext, onDestroy, setContext } from "svelte";

const BUDGET_MS = 3; // of the 16 that a frame has
const KEY = {};

class Pieces {
  made = $state(0);

  constructor(readonly count: number) {}
}

const waiting: Pieces[] = [];
let frame = 0;

/** Build pieces, those of whoever came first, until the time is up. */
function build(): void {
  const ends = performance.now() + BUDGET_MS;
  while (waiting[0] && performance.now() < ends) {
    const [first] = waiting;
    flushSync(() => (first.made += 1));
    if (first.made >= first.count) leave(first);
  }
  frame = waiting.length ? requestAnimationFrame(build) : 0;
}

function leave(pieces: Pieces): void {
  const at = waiting.indexOf(pieces);
  if (at >= 0) waiting.splice(at, 1);
}

/** Whatever stands in this component may be built in pieces. */
export function pace(): void {
  setContext(KEY, true);
}

/** Whether each piece of this component is built, by its number. All are at once where nobody has asked for a pace. */
export function paced(count: number): (piece: number) => boolean {
  if (!getContext(KEY)) return () => true;
  const pieces = new Pieces(count);
  waiting.push(pieces);
  frame ||= requestAnimationFrame(build);
  onDestroy(() => leave(pieces));
  return (piece) => piece < pieces.made || pieces.made >= count;
}
