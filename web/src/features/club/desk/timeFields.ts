// Times in forms: a `datetime-local` field shows the time zone of the device, the server keeps instants.

export function fieldOf(instant: string | null | undefined): string {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, "YYYY-MM-DDThh:mm".length);
}

/** The instant of a field; the one `before` if the field still shows it. */
export function instantOf(field: string, before?: string | null): string | null {
  if (!field) return null;
  if (before && fieldOf(before) === field) return before;
  const at = new Date(field);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export function today(now = new Date()): string {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return fieldOf(day.toISOString());
}

/** The last stage that has begun and not ended, by its dates; else the first. */
export function currentStage(stages: readonly (Dated & { id: string })[], now: number): string {
  const dated = stages.filter(
    ({ opens, closes }) => opens && new Date(opens).getTime() <= now && (!closes || now < new Date(closes).getTime()),
  );
  return (dated.at(-1) ?? stages[0])?.id ?? "";
}

interface Dated {
  opens?: string | null;
  closes?: string | null;
}

/** Stages moved together so that the first one with a beginning begins then; each keeps its length. */
export function beginning<Stage extends Dated>(stages: readonly Stage[], begin: string | null): Stage[] {
  const first = stages.find((stage) => stage.opens)?.opens;
  if (!begin || !first) return [...stages];
  const by = new Date(begin).getTime() - new Date(first).getTime();
  const move = (instant: string | null | undefined): string | null =>
    instant ? new Date(new Date(instant).getTime() + by).toISOString() : null;
  return stages.map((stage) => ({ ...stage, opens: move(stage.opens), closes: move(stage.closes) }));
}

/** The time zone of the device; UTC where it knows none. */
export function zone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== "Etc/Unknown" ? timeZone : "UTC";
}
