// Packs the built files, so that the server can send them small without packing them each time.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const STATIC = new URL("../src/jantaku/server/static/", import.meta.url).pathname;
const PACKED = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest"]);

for (const entry of readdirSync(STATIC, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !PACKED.has(extname(entry.name))) continue;
  const path = join(entry.parentPath, entry.name);
  const content = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}
