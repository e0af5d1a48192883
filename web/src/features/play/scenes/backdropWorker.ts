// The thread that draws backdrops, one after another.
import { drawBackdrop, type Drawn } from "./drawBackdrop";

let end = (): void => undefined;

self.onmessage = ({ data }: MessageEvent<{ canvas: OffscreenCanvas; drawn: Drawn } | null>) => {
  end();
  end = data ? drawBackdrop(data.canvas, data.drawn) : () => undefined;
};
