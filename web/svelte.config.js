import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // A component is made anew for another event, table or entry: what it reads once from a property is meant so
  compilerOptions: { warningFilter: ({ code }) => code !== "state_referenced_locally" },
};
