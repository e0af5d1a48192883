// Builds what a big moment shows piece by piece: in each frame as many pieces as leave time to draw it.
import { flushSync, getContext, onDestroy, setContext } from "svelte";

const SHORT_MS = 6; // a frame that was built and drawn in less has room for twice as many pieces
const LONG_MS = 11; // and one that took longer, for a single one
const FRAME_MS = 1000 / 60;
const SLOW_MS = 50; // frames so far apart are slow whatever is built: then what is shown must not come late, too
const KEY = {};

/** A component whose parts are built in pieces. */
class Pace {
  left = $state(0);
}

class Pieces {
  made = $state(0);

  constructor(
    readonly count: number,
    readonly of: Pace,
  ) {}
}

const waiting: Pieces[] = [];
let frame = 0;
let most = 1; // how many pieces this frame takes
let last = Infinity; // when the frame before was built

/** Build pieces, those of whoever came first, and see how long it takes until they are drawn. */
function build(): void {
  const began = performance.now();
  if (began - last > SLOW_MS) most = Math.max(most, Math.round((began - last) / FRAME_MS));
  last = began;
  for (let made = 0; made < most && waiting[0]; made += 1) {
    const [first] = waiting;
    flushSync(() => {
      first.made += 1;
      first.of.left -= 1;
    });
    if (first.made >= first.count) leave(first);
  }
  // A timer comes after the frame is drawn
  window.setTimeout(() => {
    const took = performance.now() - began;
    if (!frame || took > LONG_MS) most = 1;
    else if (took < SHORT_MS) most *= 2;
  });
  frame = waiting.length ? requestAnimationFrame(build) : 0;
  if (!frame) last = Infinity;
}

function leave(pieces: Pieces): void {
  const at = waiting.indexOf(pieces);
  if (at >= 0) waiting.splice(at, 1);
}

/** Whatever stands in this component may be built in pieces; the answer says whether all of them are. */
export function pace(): () => boolean {
  const whole = new Pace();
  setContext(KEY, whole);
  return () => whole.left === 0;
}

/**
 * Whether each piece of this component is built, by its number. All are at once where nobody has asked for a pace;
 * `next`: before those of others.
 */
export function paced(count: number, next = false): (piece: number) => boolean {
  const of = getContext<Pace | undefined>(KEY);
  if (!of) return () => true;
  const pieces = new Pieces(count, of);
  of.left += count;
  if (next) waiting.unshift(pieces);
  else waiting.push(pieces);
  frame ||= requestAnimationFrame(build);
  onDestroy(() => {
    leave(pieces);
    of.left -= count - pieces.made;
  });
  return (piece) => piece < pieces.made || pieces.made >= count;
}
