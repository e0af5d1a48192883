import type { Plugin } from "vite";

export function font(): Plugin;
