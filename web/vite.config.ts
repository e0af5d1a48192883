/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { opening } from "./opening.ts";

const server = "http://localhost:8000";

export default defineConfig({
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
        // A browser fetches six files at once, so the common code is a single file
        codeSplitting: {
          groups: [{ name: "base", test: /node_modules\/(?!idb|lean-qr)|src\/(App\.svelte|app\.css|pages\.ts|names\.ts|lib\/(?!score)|net\/requests|tiles\/(Tile|notation|[sS]entence)|ui\/(ErrorBoundary|Frame|Notices|Offline|NameForm|LanguageChoice|PersonFace|face|notices)|account\/SignIn)/ }],
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["src/**/*.test.ts"], isolate: false, pool: "threads" },
});
