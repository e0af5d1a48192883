// The pages by the first part of their path: the file of each in pages/. The build reads this list, too.
export const PAGES: Record<string, string> = {
  "": "Lobby",
  new: "NewTable",
  t: "Table",
  g: "Replay",
  u: "Replay",
  games: "Games",
  calc: "Calculator",
  drill: "Drill",
  rules: "Rules",
  edit: "RulesEditor",
  settings: "Settings",
  enter: "Enter",
  desk: "Desk",
  events: "Events",
  screen: "Screen",
};
export const LOST = "Lost";
/** Pages that use the whole screen. */
export const WHOLE: ReadonlySet<string> = new Set(["Table", "Replay", "Screen"]);
/** Pages that stay open while the address changes behind its second part; they read the rest themselves. */
export const NESTED: ReadonlySet<string> = new Set(["Events", "Desk"]);
