// The pages by the first segment of their path. The build also reads this list.
export interface PageAddress {
  /** The component's path within `src/`. */
  file: string;
  /** The page is full-screen at paths of at least this many segments. */
  fullscreenFrom?: number;
  /** The page stays mounted while the path changes after its second segment, and reads the rest itself. */
  nested?: boolean;
  /** The bundle of its texts; defaults to its feature's. */
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
  ["profile", page("study/pages/Profile")],
  ["people", page("account/pages/People")],
  ["calc", page("study/pages/Calculator")],
  ["practice", page("study/pages/Practice")],
  ["rules", page("study/pages/Rules")],
  ["first", page("play/pages/FirstHand", { fullscreenFrom: 1 })],
  ["yaku", page("study/pages/Yaku")],
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

/** The text bundles of a page: its own or its feature's, and the shared one. */
export const bundlesOf = ({ file, words }: PageAddress): string[] => [
  "shared",
  ...(words ? [words] : file.split("/").slice(1, 2)),
];
