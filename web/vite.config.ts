/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { opening } from "./opening.ts";

const server = "http://localhost:8000";

export default defineConfig({
  resolve: {
    alias: ["domain", "data", "ui", "generated"].map((layer) => ({
      find: `$${layer}`,
      replacement: new URL(`src/${layer}`, import.meta.url).pathname,
    })),
  },
  plugins: [svelte(), opening()],
  base: "/",
  publicDir: "src/generated/public",
  build: {
    outDir: "../src/jantaku/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A browser fetches six files at once, and each has headers: what is mostly loaded together is a single file
        codeSplitting: {
          groups: [
            {
              name: "base",
              priority: 3,
              test: /node_modules\/(?!idb|lean-qr)|src\/(App\.svelte|app\.css|pages|pageAddresses|domain\/[^/]+$|data\/|ui\/[^/]+$)/,
            },
            { name: "board", priority: 2, test: /src\/(domain\/game|ui\/game)\// },
            { name: "play", priority: 1, test: /src\/features\/play\/table\/(?!LiveTable|later|Game)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["src/**/*.test.ts"], isolate: false, pool: "threads" },
});
