import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // Components of clubs read some properties once: they are made anew for another event or entry
  compilerOptions: {
    warningFilter: ({ code, filename }) =>
      code !== "state_referenced_locally" || !filename?.includes("/features/club/desk/"),
  },
};
