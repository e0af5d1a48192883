// Lists the files that each page needs first in each language. The server reads the list when it renders a page.
import type { Plugin, Rolldown } from "vite";
import { bundlesOf, NOT_FOUND, PAGES } from "./src/pageAddresses.ts";

type Bundle = Rolldown.OutputBundle;

/** The built file and all its static imports. */
function needed(bundle: Bundle, file: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (found.has(file) || chunk?.type !== "chunk") return found;
  found.add(file);
  for (const inner of chunk.imports) needed(bundle, inner, found);
  return found;
}

/** The built file, its static imports and their stylesheets. */
function withStyles(bundle: Bundle, file: string): Set<string> {
  const chunks = [...needed(bundle, file)];
  const styles = chunks.flatMap((name) => [
    ...((bundle[name] as Rolldown.OutputChunk).viteMetadata?.importedCss ?? []),
  ]);
  return new Set([...chunks, ...styles]);
}

/** Whether a module imports the tile sprite statically. */
function drawsTiles(id: string, context: Rolldown.PluginContext, found = new Set<string>()): boolean {
  if (id.endsWith("/ui/tiles/sprite.ts")) return true;
  if (found.has(id)) return false;
  found.add(id);
  return (context.getModuleInfo(id)?.importedIds ?? []).some((inner) => drawsTiles(inner, context, found));
}

function chunkOf(bundle: Bundle, source: string): string {
  const found = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId?.endsWith(source));
  if (!found) throw new Error(`no chunk was built from ${source}`);
  return found.fileName;
}

export function opening(): Plugin {
  return {
    name: "opening",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const entry = chunkOf(bundle, "/index.html");
      const known = withStyles(bundle, entry);
      const links = (source: string): string[] =>
        [...withStyles(bundle, chunkOf(bundle, source))].filter((file) => !known.has(file)).map((file) => `/${file}`);
      const sprite = Object.values(bundle).find((file) => /\/tiles-[^/]*\.svg$/.test(file.fileName))?.fileName;
      const tiles = (source: string): string[] => {
        const id = (bundle[chunkOf(bundle, source)] as Rolldown.OutputChunk).facadeModuleId;
        return id && sprite && drawsTiles(id, this) ? [`/${sprite}`] : [];
      };
      const all = [...PAGES, ["not-found", NOT_FOUND] as const];
      const pages = all.map(([path, { file }]) => [
        path,
        file ? [...links(`/src/${file}`), ...tiles(`/src/${file}`)] : [],
      ]);
      const words = (code: string): [string, string[]][] =>
        all.map(([path, page]) => [
          path,
          bundlesOf(page).flatMap((bundle) => links(`/generated/words/${bundle}-${code}.json`)),
        ]);
      const languages = ["en", "ja", "ko"].map((code) => [code, Object.fromEntries(words(code))]);
      const built = { entry: `/${entry}`, pages: Object.fromEntries(pages), languages: Object.fromEntries(languages) };
      this.emitFile({ type: "asset", fileName: "opening.json", source: JSON.stringify(built) });
    },
  };
}
