import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

const unused = { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" };
const doubleAssertion = {
  selector: "TSAsExpression > TSAsExpression > TSUnknownKeyword",
  message: "Parse or narrow the value instead of asserting its type twice.",
};

/** Imports point downwards: features, ui, data, domain. A feature imports no other feature. */
const LAYERS = ["domain", "data", "ui"];
const layers = LAYERS.map((layer, at) => ({
  files: [`src/${layer}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: `^(\\$(${LAYERS.slice(at + 1).join("|") || "$"})|(\\.\\./)+features)/`,
            message: "Imports point downwards.",
          },
        ],
      },
    ],
  },
}));
const features = {
  files: ["src/features/**"],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: "^\\.\\./\\.\\./",
            message: "Features do not import each other; put shared code in ui, data or domain.",
          },
        ],
      },
    ],
  },
};

export default ts.config(
  { ignores: ["node_modules", "src/generated"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", unused],
      "no-restricted-syntax": ["error", doubleAssertion],
      "svelte/no-useless-mustaches": "off", // {" "} preserves a space that Svelte would drop
      "svelte/prefer-svelte-reactivity": "off", // maps in the state are replaced, never mutated
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  ...layers,
  features,
);
