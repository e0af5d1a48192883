/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Rolldown } from "vite";
import { compression } from "vite-plugin-compression2";
import { VitePWA } from "vite-plugin-pwa";
import { font } from "./font.js";
import { opening } from "./opening.ts";

const server = "http://localhost:8000";
const MANY = 6; // pages that use a module of the common chunk

/** All modules that import a module statically, directly or not: the pages and lazy parts among them need it at once. */
function openedBy(id: string, context: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const importer of context.getModuleInfo(id)?.importers ?? []) openedBy(importer, context, found);
  return found;
}

/** Group modules that load together, because each file costs a request and a browser fetches only six at once. */
function groupOf(id: string, context: Rolldown.ChunkingContext): string | null {
  if (/\/main\.ts$|\/pages\/\w+\.svelte$/.test(id)) return null; // `opening` finds these by name
  const opened = [...openedBy(id, context)];
  const pages = opened.filter((file) => file.includes("/pages/"));
  if (opened.some((file) => /\/(main\.ts|Lobby\.svelte)$/.test(file))) return "base";
  if (pages.length >= MANY) return "common";
  return pages.length === 1 && pages[0]?.endsWith("/Table.svelte") ? "table" : null;
}

export default defineConfig({
  resolve: {
    alias: ["domain", "data", "ui", "generated"].map((layer) => ({
      find: `$${layer}`,
      replacement: new URL(`src/${layer}`, import.meta.url).pathname,
    })),
  },
  plugins: [
    svelte(),
    font(),
    opening(),
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src",
      filename: "sw.ts",
      injectRegister: false, // main.ts registers it after the first page
      manifest: false, // generate.py writes one per language
      injectManifest: {
        globPatterns: ["index.html", "icon.svg.gz", "assets/*.{js,css,svg}.gz", "assets/*.{mp3,woff2}"],
        manifestTransforms: [
          (files) => ({
            manifest: files.map((file) => ({ ...file, url: file.url.replace(/\.gz$/, "") })),
            warnings: [],
          }),
        ],
        dontCacheBustURLsMatching: /^assets\//,
      },
    }),
    // The server sends the compressed copies and decompresses one for the rare client that accepts neither encoding
    compression({
      include: /\.(js|css|svg|webmanifest)$/,
      threshold: 0,
      skipIfLargerOrEqual: false,
      deleteOriginalAssets: true,
    }),
  ],
  build: {
    outDir: "../src/jantaku/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: groupOf }],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["src/**/*.test.ts"], setupFiles: ["src/fresh.setup.ts"], isolate: false, pool: "threads" },
});
