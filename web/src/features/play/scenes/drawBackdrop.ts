// Draws a backdrop frame by frame, in the page or in a thread of its own.
import { PAINTERS, type Effect } from "./backdropPainters";

/** What a backdrop shows, how large it is in pixels of the page, and how many of its own pixels each of those has. */
export interface Drawn {
  effects: readonly Effect[];
  width: number;
  height: number;
  sharp: number;
}

/** Begin to draw; the answer ends it. */
export function drawBackdrop(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  { effects, width, height, sharp }: Drawn,
): () => void {
  Object.assign(canvas, { width: width * sharp, height: height * sharp });
  const context = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  if (!context) return () => undefined;
  context.scale(sharp, sharp);
  const painters = effects.map((effect) => PAINTERS[effect]());
  let began = 0;
  const draw = (now: number): void => {
    began ||= now;
    context.clearRect(0, 0, width, height);
    for (const paint of painters) paint(context, width, height, (now - began) / 1000);
    frame = requestAnimationFrame(draw);
  };
  let frame = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(frame);
}
