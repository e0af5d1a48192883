// The pages by the first part of their path: the file of each in pages/. The build reads this list, too.
export const PAGES: ReadonlyMap<string, string> = new Map([
  ["", "Lobby"],
  ["new", "NewTable"],
  ["t", "Table"],
  ["g", "Replay"],
  ["u", "Replay"],
  ["ranked", "Ranked"],
  ["games", "Games"],
  ["numbers", "Numbers"],
  ["people", "People"],
  ["calc", "Calculator"],
  ["drill", "Drill"],
  ["rules", "Rules"],
  ["learn", "Learn"],
  ["first", "FirstHand"],
  ["yaku", "Yaku"],
  ["words", "TenWords"],
  ["coming", "ComingFrom"],
  ["edit", "RulesEditor"],
  ["lab", "Lab"],
  ["settings", "Settings"],
  ["enter", "Enter"],
  ["mail", "MailLink"],
  ["recover", "MailLink"],
  ["desk", "Desk"],
  ["events", "Events"],
  ["seasons", "Seasons"],
  ["screen", "Screen"],
  ["record", "Recorder"],
]);
export const LOST = "Lost";
/** Pages that use the whole screen, and from how many parts of a path on. */
export const WHOLE: ReadonlyMap<string, number> = new Map([
  ["Table", 1],
  ["Replay", 1],
  ["Screen", 1],
  ["Recorder", 3],
  ["FirstHand", 1],
]);
/** Pages that stay open while the address changes behind its second part; they read the rest themselves. */
export const NESTED: ReadonlySet<string> = new Set(["Events", "Seasons", "Desk"]);
/** Pages that work without the server. */
export const ALONE: ReadonlySet<string> = new Set(["Recorder"]);
