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
        // A browser fetches six files at once, and each has headers: what is mostly loaded together is a single file
        codeSplitting: {
          groups: [
            {
              name: "base",
              priority: 6,
              test: /node_modules\/(?!idb|lean-qr)|src\/(App\.svelte|app\.css|pages\.ts|pageAddresses\.ts|lib\/(?!score)|net\/requests|tiles\/(Tile|notation|[sS]entence)|ui\/(ErrorBoundary|PageWithNavigation|Notices|Offline|LanguageChoice|PersonFace|face|notices)|account\/(SignIn|EnterForm)\b|lobby\/(tableFilter|cardLabels|quickGame))|src\/(pages\/Lobby|lobby\/TableCard)\.svelte\?.*style/,
            },
            {
              name: "parts",
              priority: 5,
              test: /src\/table\/roundName\b|src\/ui\/(Sheet|Icon|WindBadge|Toggle|stamps|passingTime)\b/,
            },
            { name: "melds", priority: 3, test: /src\/(table\/Kita|tiles\/Meld)\b/ },
            {
              name: "told",
              priority: 4,
              test: /src\/table\/(events|reducer|loadParts|wakeAndVibrate|otherPeople|tableState|muted|riichiWord|kita|ChatForm|ShowHand|RemovePerson|TablePrompts|proposal|votes)\b|src\/ui\/(PersonName|Prompts)|src\/people\/(requests|friends)\b|src\/tiles\/(meldLayout|dora)\b/,
            },
            { name: "faces", priority: 3, test: /src\/ui\/(BotFace|Face|LevelChoice)\b/ },
            {
              name: "board",
              priority: 2,
              test: /src\/table\/(Board|NamePlate|TurnTimer|OtherHand|Centre|RoundBanner|OpenedHand|River|paymentFlows|MovingTile|CallWord|RiichiLight|actionWords|dangerLevel)\b/,
            },
            {
              name: "play",
              priority: 1,
              test: /src\/table\/(Game|PlayScreen|Claims|OwnHand|Automatic|Fouls|DangerLegend|choices|screenReader|tablePass|DangerMark|handOrder|hints)\b/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["src/**/*.test.ts"], isolate: false, pool: "threads" },
});
