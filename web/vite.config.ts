/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const server = "http://localhost:8000";

export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: {
    outDir: "../src/jantaku/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false, // all of it is small, and one file is quicker than many
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
