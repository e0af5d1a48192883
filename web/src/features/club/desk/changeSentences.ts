// The log as sentences: who did what, with the fields that changed from what to what.
import type { AuditEntry } from "$generated/wire";
import type { Key } from "$generated/keys";
import { handIn } from "$domain/enteredHand";
import { handLines } from "$domain/handInWords";
import { listed, maybe, number, signed, t } from "$domain/words.svelte";

/** How a page names what the log only knows by id. */
export interface Names {
  entry: (id: string) => string;
  stage: (id: string) => string;
  /** The players of a game by seat; empty if unknown. */
  players: (game: string) => readonly string[];
}

export interface Detail {
  field: string;
  before: string;
  after: string;
}

export interface Sentence {
  text: string;
  details: Detail[];
}

type Fields = { [name: string]: unknown };

const WITHOUT = "–";
const FIELD = new Set([
  "name",
  "about",
  "rules",
  "listed",
  "stages",
  "tie_breaks",
  "registration",
  "hidden_standings",
  "correction_min",
  "confirm_alone",
  "online_tables",
  "spectators",
  "team",
  "status",
  "merged_into",
  "checked_in",
]);

function fields(value: unknown): Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value of the log as a reader sees it. */
export function shownValue(value: unknown, names: Names): string {
  if (value === null || value === undefined || value === "") return WITHOUT;
  if (typeof value === "boolean") return t(value ? "desk.log.yes" : "desk.log.no");
  if (typeof value === "number") return number(value);
  if (typeof value === "string")
    return maybe(
      `desk.people.group.${value}`,
      maybe(`event.status.${value}`, maybe(`desk.rounds.way_${value}`, value)),
    );
  if (Array.isArray(value)) return listed(value.map((item) => shownValue(item, names))) || WITHOUT;
  const inner = fields(value);
  const id = inner["id"];
  if (typeof id === "string" && "kind" in inner) return stageText(inner, names);
  return (
    listed(
      Object.entries(inner)
        .filter(([, item]) => item !== null)
        .map(([name, item]) => `${maybe(`desk.log.field.${name}`, name)} ${shownValue(item, names)}`),
    ) || WITHOUT
  );
}

function stageText(stage: Fields, names: Names): string {
  const rest = Object.entries(stage).filter(
    ([name, value]) => !["id", "kind", "name"].includes(name) && value !== null,
  );
  const inner = rest.map(
    ([name, value]) =>
      `${maybe(`desk.log.field.${name}`, name)} ${name === "from" ? names.stage(String(value)) : shownValue(value, names)}`,
  );
  const kind = t(`desk.stage.kind_${stage["kind"] === "rounds" ? "rounds" : "open"}`);
  return `${names.stage(String(stage["id"]))} (${listed([kind, ...inner])})`;
}

function detailsOf(before: unknown, after: unknown, names: Names): Detail[] {
  const [then, now] = [fields(before), fields(after)];
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((name) => FIELD.has(name) && JSON.stringify(then[name] ?? null) !== JSON.stringify(now[name] ?? null))
    .map((name) => {
      const text = (value: unknown): string =>
        name === "merged_into" && typeof value === "string" ? names.entry(value) : shownValue(value, names);
      return { field: maybe(`desk.log.field.${name}`, name), before: text(then[name]), after: text(now[name]) };
    });
}

/** What happened to an entry: its most telling change. */
function entryKey(before: Fields, after: Fields): string {
  if (Object.keys(before).length === 0) return "entry_new";
  if (before["status"] !== after["status"]) return `entry_${String(after["status"])}`;
  if (before["checked_in"] !== after["checked_in"]) return after["checked_in"] ? "entry_here" : "entry_away";
  return JSON.stringify(before) === JSON.stringify(after) ? "entry_account" : "entry_changed";
}

function handText(hand: unknown, players: readonly string[]): string {
  return handLines(hand ? handIn(fields(hand)) : null, players).join(" · ") || WITHOUT;
}

function handSentence(change: AuditEntry, names: Names): Sentence {
  const after = fields(change.after);
  const players = change.game ? names.players(change.game) : [];
  const action = String(after["action"] ?? "add");
  const values = { name: change.name, number: Number(after["place"] ?? 0) + 1, players: listed(players) };
  const key = `desk.log.hand_${action}` as Key;
  return {
    text: t(key, values),
    details: [
      {
        field: t("desk.log.field.hand"),
        before: handText(change.before, players),
        after: handText(after["hand"], players),
      },
    ],
  };
}

function scoresText(value: unknown, players: readonly string[]): string {
  return listed(list(value).map((score, seat) => `${players[seat] ?? seat + 1} ${number(Number(score))}`)) || WITHOUT;
}

type Teller = (change: AuditEntry, names: Names) => Sentence;

const simply = (key: string, values: Fields = {}, details: Detail[] = []): Sentence => ({
  text: t(`desk.log.${key}` as Key, values as Record<string, string | number>),
  details,
});

function gameOf(change: AuditEntry, names: Names): string {
  return listed(change.game ? names.players(change.game) : []);
}

function deskTeller(key: string): Teller {
  return (change, names) => {
    const after = fields(change.after ?? change.before);
    const values = {
      name: change.name,
      entry: change.entry ? names.entry(change.entry) : "",
      points: signed(Number(after["points"] ?? 0)),
      players: gameOf(change, names),
      label: String(after["label"] ?? ""),
    };
    return simply(key, values);
  };
}

/** What a reader wants to know of a seating or a timer, besides its stage and round. */
const OF_ROUNDS = ["made_by", "seed", "repeats", "seat_spread", "minutes", "table", "extra_s", "action"] as const;

function roundTeller(key: string): Teller {
  return ({ name, before, after }, names) => {
    const [then, now] = [fields(before), fields(after)];
    const numbers = list(now["rounds"] ?? []);
    const stage = names.stage(String(now["stage"] ?? then["stage"] ?? ""));
    const details = OF_ROUNDS.filter(
      (field) => JSON.stringify(then[field] ?? null) !== JSON.stringify(now[field] ?? null),
    ).map((field) => ({
      field: t(`desk.log.field.${field}`),
      before: shownValue(then[field], names),
      after: shownValue(now[field], names),
    }));
    const gone = key === "seating" && Array.isArray(now["rounds"]) && numbers.length === 0;
    return simply(
      gone ? "seating_discarded" : key,
      { name, stage, number: String(now["round"] ?? ""), rounds: listed(numbers.map(String)) },
      gone ? [] : details,
    );
  };
}

/** The players of a game, and how its scores were changed. */
function scoresSentence(key: string, field: string, { name, game, before, after }: AuditEntry, names: Names): Sentence {
  const players = game ? names.players(game) : [];
  return simply(key, { name, players: listed(players) }, [
    {
      field: t("desk.log.field.scores"),
      before: scoresText(fields(before)[field], players),
      after: scoresText(fields(after)[field], players),
    },
  ]);
}

/** Enough is said by the kind of change and by who made it. */
function nameTeller(key: string): Teller {
  return ({ name, entry }, names) => simply(key, { name, entry: entry ? names.entry(entry) : "" });
}

function tellers(keys: readonly string[], teller: (key: string) => Teller): Record<string, Teller> {
  return Object.fromEntries(keys.map((key) => [key, teller(key)]));
}

const TELLERS: Record<string, Teller> = {
  create: ({ name }) => simply("create", { name }),
  import: ({ name, after }) =>
    simply("import", { name, people: list([fields(after)["entries"]])[0] ?? 0, games: fields(after)["games"] ?? 0 }),
  change: ({ name, before, after }, names) => simply("change", { name }, detailsOf(before, after, names)),
  ...tellers(["names", "erase", "log", "online", "online_table", "webhook", "absence"], nameTeller),
  ...tellers(
    [
      "seating",
      "online_round",
      "reseat",
      "seating_published",
      "rounds",
      "round_start",
      "round_end",
      "round_taken_back",
      "timer",
    ],
    roundTeller,
  ),
  replace: ({ name, entry, after }, names) =>
    simply("replace", { name, entry: names.entry(entry ?? ""), by: names.entry(String(fields(after)["by"])) }),
  seats: ({ name, before, after }, names) => {
    const text = (value: unknown): string => listed(list(value).map((item) => names.entry(String(item))));
    return simply("seats", { name }, [
      { field: t("desk.log.field.players"), before: text(before), after: text(after) },
    ]);
  },
  rules: ({ name, before, after }) =>
    simply("rules", {
      name,
      before: String(fields(before)["name"]),
      after: String(fields(after)["name"]),
      games: Number(fields(after)["games"] ?? 0),
    }),
  resettled: (change, names) => scoresSentence("resettled", "points", change, names),
  status: ({ name, after }) => simply(`status_${String(after)}`, { name }),
  staff: ({ name, after }) => {
    const { person, role } = fields(after);
    return simply(role ? "staff" : "staff_gone", {
      name,
      person: String(person),
      role: maybe(`event.role.${String(role)}`, String(role)),
    });
  },
  entry: ({ name, entry, before, after }, names) => {
    const values = { name, entry: entry ? names.entry(entry) : "" };
    return simply(entryKey(fields(before), fields(after)), values, before ? detailsOf(before, after, names) : []);
  },
  claim: ({ name, entry, before, after }, names) => {
    const state = String(fields(after)["state"]);
    return simply(state === "taken" && before ? "claim_accepted" : `claim_${state}`, {
      name,
      entry: names.entry(entry ?? ""),
    });
  },
  merge: ({ name, entry, before }, names) =>
    simply("merge", { name, entry: names.entry(String(fields(before)["entry"])), into: names.entry(entry ?? "") }),
  ...tellers(["call", "dispute", "answer", "penalty", "penalty_cancelled"], deskTeller),
  hand: handSentence,
  confirm: (change, names) =>
    simply(fields(change.after)["confirmed"] ? "confirmed" : "confirm", {
      name: change.name,
      players: gameOf(change, names),
    }),
  game: (change, names) => {
    const after = fields(change.after);
    const players = list(after["players"]).map((id) => names.entry(String(id)));
    const details = after["scores"]
      ? [{ field: t("desk.log.field.scores"), before: WITHOUT, after: scoresText(after["scores"], players) }]
      : [];
    return simply(after["scores"] ? "game_entered" : "game", { name: change.name, players: listed(players) }, details);
  },
  cleared: (change, names) => simply("cleared", { name: change.name, players: gameOf(change, names) }),
  game_status: (change, names) =>
    simply(change.after === "cancelled" ? "game_cancelled" : "game_on", {
      name: change.name,
      players: gameOf(change, names),
    }),
  points: (change, names) => scoresSentence("points", "scores", change, names),
};

/** A change in words. What this client does not know yet is named as it is, with its fields. */
export function sentence(change: AuditEntry, names: Names): Sentence {
  const teller = TELLERS[change.action];
  return teller
    ? teller(change, names)
    : simply("other", { name: change.name, action: change.action }, detailsOf(change.before, change.after, names));
}
