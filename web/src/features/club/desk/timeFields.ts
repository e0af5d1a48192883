// Times in forms: `datetime-local` fields use the device's time zone, the server stores instants.

export function toFieldValue(instant: string | null | undefined): string {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, "YYYY-MM-DDThh:mm".length);
}

/** Convert a field to an instant; return `before` if the field still shows it, since fields drop the seconds. */
export function toInstant(field: string, before?: string | null): string | null {
  if (!field) return null;
  if (before && toFieldValue(before) === field) return before;
  const at = new Date(field);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export function today(now = new Date()): string {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return toFieldValue(day.toISOString());
}

/** The last stage in progress by its dates, else the first. */
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

/** Shift all stages so that the first dated one opens at `begin`; durations stay the same. */
export function shiftStages<Stage extends Dated>(stages: readonly Stage[], begin: string | null): Stage[] {
  const first = stages.find((stage) => stage.opens)?.opens;
  if (!begin || !first) return [...stages];
  const by = new Date(begin).getTime() - new Date(first).getTime();
  const move = (instant: string | null | undefined): string | null =>
    instant ? new Date(new Date(instant).getTime() + by).toISOString() : null;
  return stages.map((stage) => ({ ...stage, opens: move(stage.opens), closes: move(stage.closes) }));
}

/** The device's time zone, or UTC if unknown. */
export function deviceTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== "Etc/Unknown" ? timeZone : "UTC";
}
