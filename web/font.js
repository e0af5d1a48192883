// The client's typeface: Figtree, subset to the Latin letters and digits in use. Kanji, kana and hangul use system fonts.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subset from "subset-font";

const SOURCE = "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2";
const OUT = new URL("src/generated/figtree.woff2", import.meta.url);
const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
const SIGNS = "−–±…·×“”‘’";

/** @returns {import("vite").Plugin} */
export function font() {
  return {
    name: "font",
    async buildStart() {
      const whole = await readFile(createRequire(import.meta.url).resolve(SOURCE));
      const cut = await subset(whole, ASCII + SIGNS, {
        targetFormat: "woff2",
        variationAxes: { wght: { min: 400, max: 750 } },
        noLayoutClosure: true,
      });
      await mkdir(new URL(".", OUT), { recursive: true });
      await writeFile(OUT, cut);
    },
  };
}
