// The state of the rules editor: the draft, its parent preset, and the server's check of it.
import type { Checked, RulesPage, RulesProblem } from "$generated/wire";
import { debounce } from "$data/query.svelte";
import { newId } from "$data/newId";
import { Refused, send } from "$data/requests";
import { STANDARD } from "$domain/chosenRules";
import { MAX_SEATS } from "$domain/seats";
import { language, nameIn, t, type Language } from "$domain/words.svelte";
import {
  sectionsOf,
  type OptionSection,
  changed,
  changesFrom,
  fileOf,
  rebased,
  valueAt,
  type Changes,
  type Tree,
  type Words,
} from "./rulesDraft";

const KEY = "jantaku.draft";
const OWN = /^yaku\.([^.]+)\.when$/;
const PLAYERS = "match.players";
/** Options whose defaults follow from another one, so that a change of that one resets them. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = {
  [PLAYERS]: ["match.uma", "match.floating_uma"],
  "match.start_points": ["match.sticks"],
};

interface StoredDraft {
  address: string;
  parent: string;
  changes: [string, unknown][];
  typed: string | null;
}

const RETRY_MS = 600; // delay before a busy server is asked again

export class Editor {
  base = $state.raw<RulesPage | null>(null);
  /** The options that differ from `base`, by path, and the texts of `name` and `about`. */
  changes = $state.raw<Changes>(new Map());
  sections = $state.raw<OptionSection[]>([]);
  checked = $state.raw<Checked | null>(null);
  /** The rules file while it is edited as text, otherwise null. */
  typed = $state<string | null>(null);
  readonly parent = $derived(this.base?.id ?? STANDARD);
  readonly toml = $derived(this.typed ?? fileOf(this.parent, this.changes));
  readonly tree = $derived<Tree>(this.base?.tree ?? {});
  /** The rules file when the page was opened. */
  #fresh = $state("");
  readonly touched = $derived(this.#fresh !== "" && this.toml !== this.#fresh);
  #words = $state.raw<Tree>({});
  #checking: Promise<unknown> = Promise.resolve();

  /** Start from a preset or saved rules, and restore unsaved edits of this page. */
  async open(id: string): Promise<void> {
    const [page, schema, tables] = await Promise.all([
      send("GET /api/rules/{name}", { path: { name: id } }),
      send("GET /api/rules/options", {}),
      send("GET /api/terms/{language}", { path: { language: language() }, query: { tables: "options" } }),
    ]);
    this.sections = sectionsOf(schema);
    this.#words = tables["options"] ?? {};
    await this.#load(page);
    this.#fresh = this.toml;
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as StoredDraft | null;
    if (stored?.address !== location.pathname) return;
    this.base = await send("GET /api/rules/{name}", { path: { name: stored.parent } });
    this.changes = new Map(stored.changes);
    this.typed = stored.typed;
  }

  /** Store unsaved edits, if any, for when the page is opened again. */
  storeDraft(): void {
    if (!this.touched) return;
    const stored: StoredDraft = {
      address: location.pathname,
      parent: this.parent,
      changes: [...this.changes],
      typed: this.typed,
    };
    sessionStorage.setItem(KEY, JSON.stringify(stored));
  }

  forget(): void {
    sessionStorage.removeItem(KEY);
  }

  async build(parent: string): Promise<void> {
    this.base = await send("GET /api/rules/{name}", { path: { name: parent } });
    this.changes = rebased(this.changes, this.tree);
  }

  /** Fill the form from a rules file; an invalid file stays text. */
  async adopt(text: string): Promise<boolean> {
    const checked = await send("POST /api/rules/check", { body: { toml: text } });
    this.checked = checked;
    if (!checked.ok) {
      this.typed = text;
      return false;
    }
    if (checked.sheet) await this.#load(checked.sheet);
    return true;
  }

  async #load(page: RulesPage): Promise<void> {
    this.base = page.extends === page.id ? page : await send("GET /api/rules/{name}", { path: { name: page.extends } });
    this.changes = changesFrom(page.tree, this.tree);
    this.typed = null;
  }

  /** Check the file when the previous check has ended; the server allows a page only one check at a time. */
  async check(signal: AbortSignal): Promise<void> {
    await this.#checking;
    if (signal.aborted) return;
    const answer = send("POST /api/rules/check", { body: { toml: this.toml } });
    this.#checking = answer.catch(() => undefined);
    try {
      const checked = await answer;
      if (!signal.aborted) this.checked = checked;
    } catch (error) {
      if (!(error instanceof Refused && error.code === "busy")) throw error;
      await debounce(signal, RETRY_MS);
      await this.check(signal);
    }
  }

  valueOf(path: string): unknown {
    return this.changes.has(path) ? this.changes.get(path) : valueAt(this.tree, path);
  }

  /** The value of an option in the form; one that the user has not changed may derive from others. */
  shownOf(path: string): unknown {
    const follows = this.checked?.derived?.[path];
    return follows === undefined || this.changes.has(path) ? this.valueOf(path) : follows;
  }

  change(path: string, value: unknown): void {
    FOLLOWERS[path]?.forEach((follower) => this.reset(follower));
    this.changes = changed(this.changes, this.tree, path, value);
  }

  get players(): number {
    return Number(this.valueOf(PLAYERS) ?? MAX_SEATS);
  }

  /** Reset everything under a path to the preset's values. */
  reset(path: string): void {
    this.changes = new Map([...this.changes].filter(([changedPath]) => !isAt(changedPath, path)));
  }

  /** The text at a path such as `name` or `yaku.own_x.definition`. */
  wordIn(path: string, chosen: Language = language()): string {
    return this.#wordsAt(path)[chosen] ?? "";
  }

  describe(path: string, text: string, chosen: Language = language()): void {
    const others = Object.entries(this.#wordsAt(path)).filter(([code]) => code !== chosen);
    if (text.trim()) others.push([chosen, text]);
    if (others.length) this.change(path, Object.fromEntries(others));
    else this.reset(path);
  }

  #wordsAt(path: string): Words {
    return (this.changes.get(path) ?? {}) as Words;
  }

  get own(): string[] {
    return [...this.changes.keys()].flatMap((path) => OWN.exec(path)?.[1] ?? []).sort();
  }

  /** Add a custom yaku with an empty condition and return its id. */
  addOwn(): string {
    const id = `own_${newId().slice(0, 8)}`; // random, so that rules with different custom yaku can be shown together
    this.change(`yaku.${id}.when`, "");
    for (const side of ["closed", "open"]) this.change(`yaku.${id}.${side}`, 1);
    return id;
  }

  ownName(id: string): string {
    return nameIn(this.#wordsAt(`yaku.${id}.name`)) || t("editor.own.new");
  }

  /** The custom yaku without a condition: they are not reported as problems, but prevent saving. */
  get unfinished(): string[] {
    return this.typed === null ? this.own.filter((id) => !String(this.valueOf(`yaku.${id}.when`) ?? "").trim()) : [];
  }

  /** The number of problems, without those of unfinished custom yaku. */
  get problemCount(): number {
    const { unfinished } = this;
    return this.problemsIn("").filter(({ path }) => !unfinished.some((id) => isAt(path, `yaku.${id}`))).length;
  }

  isChanged(path: string): boolean {
    return this.changes.has(path);
  }

  /** The number of changed options under a path, or of all for an empty path. */
  changesIn(path: string): number {
    return [...this.changes.keys()].filter((each) => (path ? each.startsWith(`${path}.`) : each.includes("."))).length;
  }

  /** The problems under a path, or all for an empty path. */
  problemsIn(path: string): RulesProblem[] {
    return (this.checked?.problems ?? []).filter((problem) => !path || isAt(problem.path, path));
  }

  problemOf(path: string): string {
    return this.problemsIn(path)[0]?.message ?? "";
  }

  noteOf(path: string): string {
    return this.checked?.notes?.find((note) => isAt(note.path, path))?.message ?? "";
  }

  /** Problems that do not belong to an option in the form. */
  get elsewhere(): RulesProblem[] {
    if (this.typed !== null) return this.problemsIn("");
    const options = this.sections.flatMap(({ options }) => options.map(({ path }) => path));
    const inForm = [...options, ...this.own.map((id) => `yaku.${id}`)];
    return this.problemsIn("").filter(({ path }) => !inForm.some((each) => isAt(path, each)));
  }

  /** Notes about a valid file that is edited as text; the form shows notes beside the options. */
  get notes(): RulesProblem[] {
    return this.typed === null ? [] : (this.checked?.notes ?? []);
  }

  wordOf(path: string, value: string): string {
    const costs = path.startsWith("fouls.") ? valueAt(this.#words, `foul_cost.values.${value}`) : null;
    const yaku = this.sections.at(-1)?.options.find((option) => option.path === `yaku.${value}`)?.label;
    return String(valueAt(this.#words, `${path}.values.${value}`) ?? costs ?? yaku ?? value);
  }
}

function isAt(problem: string, path: string): boolean {
  return problem === path || problem.startsWith(`${path}.`);
}
