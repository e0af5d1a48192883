// The rule editor's state: the draft, the preset under it, and what the server says about it.
import type { Checked, RulesPage, RulesProblem } from "$generated/wire";
import { pause } from "$data/query.svelte";
import { Refused, send } from "$data/requests";
import { MOST_SEATS } from "$domain/seats";
import { language, nameIn, t, type Language } from "$domain/words.svelte";
import { newOwnId, ownIn, WHEN } from "./ownYakuDraft";
import { sectionsOf, type OptionSection } from "./options";
import {
  changed,
  draftOf,
  fileOf,
  FLOATING_UMA,
  PLAYERS,
  rebased,
  sameValue,
  sticksFor,
  totalOf,
  UMA,
  umaFor,
  valueAt,
  worded,
  type Draft,
  type Sticks,
  type Tree,
  type Words,
} from "./rulesDraft";

const KEPT = "jantaku.draft";
const START = "match.start_points";
const STICKS = "match.sticks";
const LEAST_START = 1000; // a smaller number is still being typed

interface Kept {
  address: string;
  parent: string;
  changes: [string, unknown][];
  typed: string | null;
}

const AGAIN_MS = 600; // until a busy server is asked once more

export class Editor {
  /** The preset that the draft builds on. */
  base = $state.raw<RulesPage | null>(null);
  draft = $state.raw<Draft>({ parent: "standard", changes: new Map() });
  sections = $state.raw<OptionSection[]>([]);
  checked = $state.raw<Checked | null>(null);
  /** The file, while it is edited as text. */
  typed = $state<string | null>(null);
  readonly toml = $derived(this.typed ?? fileOf(this.draft));
  readonly tree = $derived<Tree>(this.base?.tree ?? {});
  /** The file as it was when the page opened. */
  #fresh = $state("");
  readonly touched = $derived(this.#fresh !== "" && this.toml !== this.#fresh);
  #words = $state.raw<Tree>({});
  /** The point sticks that the editor's user chose; none: the preset's, which follow the starting points. */
  #sticks: Sticks | null = null;
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
    await this.#take(page);
    this.#fresh = this.toml;
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
    if (kept?.address !== location.pathname) return;
    this.base = await send("GET /api/rules/{name}", { path: { name: kept.parent } });
    this.draft = { parent: kept.parent, changes: new Map(kept.changes) };
    this.typed = kept.typed;
    this.#learnSticks();
  }

  /** Keep unsaved edits when the page is left; store nothing if there are none. */
  keep(): void {
    if (!this.touched) return;
    const kept: Kept = {
      address: location.pathname,
      parent: this.draft.parent,
      changes: [...this.draft.changes],
      typed: this.typed,
    };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  }

  forget(): void {
    sessionStorage.removeItem(KEPT);
  }

  /** The same changes over another preset. */
  async build(parent: string): Promise<void> {
    const base = await send("GET /api/rules/{name}", { path: { name: parent } });
    this.draft = rebased(this.draft, base.tree, parent);
    this.base = base;
    this.#handOut();
  }

  /** Fill the form from a rules file; a faulty file stays text. */
  async adopt(text: string): Promise<boolean> {
    const checked = await send("POST /api/rules/check", { body: { toml: text } });
    this.checked = checked;
    if (!checked.ok) {
      this.typed = text;
      return false;
    }
    if (checked.sheet) await this.#take(checked.sheet);
    return true;
  }

  async #take(page: RulesPage): Promise<void> {
    const base =
      page.extends === page.id ? page : await send("GET /api/rules/{name}", { path: { name: page.extends } });
    this.draft = draftOf(page.tree, base.tree, base.id);
    this.base = base;
    this.typed = null;
    this.#learnSticks();
  }

  /** Whether the user chose the sticks of the draft, or they only follow its starting points. */
  #learnSticks(): void {
    const sticks = this.draft.changes.get(STICKS) as Sticks | undefined;
    const follow = sticksFor(Number(this.valueOf(START)), this.#presetSticks);
    this.#sticks = sticks && !sameValue(sticks, follow) ? sticks : null;
  }

  get #presetSticks(): Sticks {
    return (valueAt(this.tree, STICKS) ?? {}) as Sticks;
  }

  /** Make the sticks add up to the starting points. */
  #handOut(): void {
    const start = this.valueOf(START);
    if (typeof start !== "number" || start < LEAST_START || totalOf((this.valueOf(STICKS) ?? {}) as Sticks) === start)
      return;
    this.#set(STICKS, sticksFor(start, this.#sticks ?? this.#presetSticks));
  }

  #set(path: string, value: unknown): void {
    this.draft = { ...this.draft, changes: changed(this.draft.changes, this.tree, path, value) };
  }

  /** Check the file, after the check before has ended: the server answers a page one question at a time. */
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
      await pause(signal, AGAIN_MS);
      await this.check(signal);
    }
  }

  valueOf(path: string): unknown {
    return this.draft.changes.has(path) ? this.draft.changes.get(path) : valueAt(this.tree, path);
  }

  /** The value of an option in the form: one that the user left alone may follow from others. */
  shownOf(path: string): unknown {
    const follows = this.checked?.derived?.[path];
    return follows === undefined || this.draft.changes.has(path) ? this.valueOf(path) : follows;
  }

  change(path: string, value: unknown): void {
    this.#set(path, value);
    if (path === STICKS) this.#sticks = value as Sticks;
    if (path === START) this.#handOut();
    if (path === PLAYERS) this.#fitUma(Number(value));
  }

  /** Give every place its uma, as the preset has it if so many play by it. */
  #fitUma(players: number): void {
    if (valueAt(this.tree, PLAYERS) === players) return [UMA, FLOATING_UMA].forEach((each) => this.reset(each));
    this.change(UMA, umaFor((this.valueOf(UMA) ?? []) as number[], players));
    this.change(FLOATING_UMA, []);
  }

  get players(): number {
    return Number(this.valueOf(PLAYERS) ?? MOST_SEATS);
  }

  /** Reset everything under a path to the preset's values. */
  reset(path: string): void {
    const changes = [...this.draft.changes].filter(([changedPath]) => !isAt(changedPath, path));
    this.draft = { ...this.draft, changes: new Map(changes) };
    if (isAt(STICKS, path)) this.#sticks = null;
    if (isAt(STICKS, path) || isAt(START, path)) this.#handOut();
    if (path === PLAYERS) [UMA, FLOATING_UMA].forEach((each) => this.reset(each));
  }

  /** The words at a path, as of `name` and `yaku.own_x.definition`, in one language. */
  wordIn(chosen: Language, path: string): string {
    return this.#wordsAt(path)[chosen] ?? "";
  }

  describe(path: string, chosen: Language, text: string): void {
    const words = worded(this.#wordsAt(path), chosen, text);
    if (Object.keys(words).length) this.change(path, words);
    else this.reset(path);
  }

  #wordsAt(path: string): Words {
    return (this.draft.changes.get(path) ?? {}) as Words;
  }

  /** The ids of the own yaku. */
  get own(): string[] {
    return ownIn(this.draft.changes);
  }

  /** Add an own yaku with nothing in its condition, and return its id. */
  addOwn(): string {
    const id = newOwnId();
    this.change(`yaku.${id}.${WHEN}`, "");
    for (const side of ["closed", "open"]) this.change(`yaku.${id}.${side}`, 1);
    return id;
  }

  ownName(id: string): string {
    return nameIn(this.#wordsAt(`yaku.${id}.name`)) || t("editor.own.new");
  }

  /** The own yaku that have no condition yet: nothing is wrong with them, but the rules cannot be saved. */
  get begun(): string[] {
    return this.typed === null ? this.own.filter((id) => !String(this.valueOf(`yaku.${id}.${WHEN}`) ?? "").trim()) : [];
  }

  /** How many problems there are, without those of own yaku that are only begun. */
  get wrong(): number {
    const { begun } = this;
    return this.problemsIn("").filter(({ path }) => !begun.some((id) => isAt(path, `yaku.${id}`))).length;
  }

  isChanged(path: string): boolean {
    return this.draft.changes.has(path);
  }

  /** How many options under a path differ from the preset; of all without one. */
  changesIn(path: string): number {
    return [...this.draft.changes.keys()].filter((each) => (path ? each.startsWith(`${path}.`) : each.includes(".")))
      .length;
  }

  /** The problems under a path; of the whole file without one. */
  problemsIn(path: string): RulesProblem[] {
    return (this.checked?.problems ?? []).filter((problem) => !path || isAt(problem.path, path));
  }

  problemOf(path: string): string {
    return this.problemsIn(path)[0]?.message ?? "";
  }

  noteOf(path: string): string {
    return this.checked?.notes?.find((note) => isAt(note.path, path))?.message ?? "";
  }

  /** Problems that belong to no option in the form. */
  get elsewhere(): RulesProblem[] {
    if (this.typed !== null) return this.problemsIn("");
    const options = this.sections.flatMap(({ options }) => options.map(({ path }) => path));
    const inForm = [...options, ...this.own.map((id) => `yaku.${id}`)];
    return this.problemsIn("").filter(({ path }) => !inForm.some((each) => isAt(path, each)));
  }

  /** What a file that is edited as text is told although it is valid. */
  get notes(): RulesProblem[] {
    return this.typed === null ? [] : (this.checked?.notes ?? []);
  }

  /** The words of a choice. */
  wordOf(path: string, value: string): string {
    const costs = path.startsWith("fouls.") ? valueAt(this.#words, `foul_cost.values.${value}`) : null;
    const yaku = this.sections.at(-1)?.options.find((option) => option.path === `yaku.${value}`)?.label;
    return String(valueAt(this.#words, `${path}.values.${value}`) ?? costs ?? yaku ?? value);
  }
}

function isAt(problem: string, path: string): boolean {
  return problem === path || problem.startsWith(`${path}.`);
}
