// Fills in the service worker's file list and compresses the build once, so that the server need not compress it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const STATIC = new URL("../src/jantaku/server/static/", import.meta.url).pathname;
const PACKED = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest"]);

const files = readdirSync(join(STATIC, "assets"))
  .sort()
  .map((file) => `/assets/${file}`);
const build = createHash("sha256").update(files.join()).digest("hex").slice(0, 12);
const worker = readFileSync(new URL("sw.js", import.meta.url), "utf8");
writeFileSync(
  join(STATIC, "sw.js"),
  worker.replace("= __FILES__", `= ${JSON.stringify(files)}`).replace("__BUILD__", build),
);

const brotli = promisify(brotliCompress);
const zipped = promisify(gzip);

async function compress(path) {
  const content = readFileSync(path);
  writeFileSync(`${path}.gz`, await zipped(content, { level: 9 }));
  writeFileSync(`${path}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

await Promise.all(
  readdirSync(STATIC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PACKED.has(extname(entry.name)))
    .map((entry) => compress(join(entry.parentPath, entry.name))),
);
