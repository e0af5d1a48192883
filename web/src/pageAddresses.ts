// The pages by the first part of their address. The build reads this list, too.
export interface PageAddress {
  /** The component, from `src/` on. */
  file: string;
  /** From how many parts of an address on the page uses the whole screen. */
  fullscreenFrom?: number;
  /** The page stays open while the address changes behind its second part; it reads the rest itself. */
  nested?: boolean;
  /** The bundle of its texts, unless it is that of its feature. */
  words?: string;
  /** The page works without the server. */
  offlineCapable?: boolean;
}

const page = (file: string, more: Omit<PageAddress, "file"> = {}): PageAddress => ({
  file: `features/${file}.svelte`,
  ...more,
});

export const PAGES: ReadonlyMap<string, PageAddress> = new Map([
  ["", page("play/pages/Lobby", { words: "lobby" })],
  ["new", page("play/pages/NewTable")],
  ["t", page("play/pages/Table", { fullscreenFrom: 1 })],
  ["g", page("study/pages/Replay", { fullscreenFrom: 1 })],
  ["u", page("study/pages/Replay", { fullscreenFrom: 1 })],
  ["ranked", page("play/pages/Ranked")],
  ["games", page("study/pages/Games")],
  ["numbers", page("study/pages/Numbers")],
  ["people", page("account/pages/People")],
  ["calc", page("study/pages/Calculator")],
  ["drill", page("study/pages/Drill")],
  ["rules", page("study/pages/Rules")],
  ["learn", page("study/pages/Learn")],
  ["first", page("play/pages/FirstHand", { fullscreenFrom: 1 })],
  ["yaku", page("study/pages/Yaku")],
  ["words", page("study/pages/TenWords")],
  ["coming", page("study/pages/ComingFrom")],
  ["edit", page("study/pages/RulesEditor")],
  ["lab", page("study/pages/Lab")],
  ["settings", page("account/pages/Settings")],
  ["enter", page("account/pages/Link")],
  ["mail", page("account/pages/Link")],
  ["recover", page("account/pages/Link")],
  ["desk", page("club/pages/Desk", { nested: true })],
  ["events", page("club/pages/Events", { nested: true })],
  ["seasons", page("club/pages/Seasons", { nested: true })],
  ["screen", page("club/pages/Screen", { fullscreenFrom: 1 })],
  ["record", page("club/pages/Recorder", { fullscreenFrom: 3, offlineCapable: true })],
]);
export const NOT_FOUND: PageAddress = { file: "" };

/** The bundles of texts that the page shows: those of its feature and those that all pages share. */
export const bundlesOf = ({ file, words }: PageAddress): string[] => [
  "shared",
  ...(words ? [words] : file.split("/").slice(1, 2)),
];
