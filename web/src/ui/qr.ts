// QR codes drawn in the browser, for use without a network.
import { correction, generate } from "lean-qr";

const QUIET = 4; // modules of margin, as the standard requires

export function qrPicture(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.L });
  const side = code.size + 2 * QUIET;
  let path = "";
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
