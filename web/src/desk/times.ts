// Times in forms: a `datetime-local` field shows the time zone of the device, the server keeps instants.

const two = (value: number): string => String(value).padStart(2, "0");

/** The value of a field for an instant; empty if there is none. */
export function fieldOf(instant: string | null | undefined): string {
  if (!instant) return "";
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant of a field; the one `before` if the field still shows it. */
export function instantOf(field: string, before?: string | null): string | null {
  if (!field) return null;
  if (before && fieldOf(before) === field) return before;
  const at = new Date(field);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The time zone of the device. */
export function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
