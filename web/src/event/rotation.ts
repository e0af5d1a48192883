// The pages that a big screen shows in turn.

/** Rows in pages of equal length, none longer than `most`. */
export function pagesOf<Row>(rows: readonly Row[], most: number): Row[][] {
  const pages = Math.max(Math.ceil(rows.length / Math.max(most, 1)), 1);
  const length = Math.ceil(rows.length / pages);
  return Array.from({ length: pages }, (_, page) => rows.slice(page * length, (page + 1) * length));
}

/** Which page to show after `turns` turns. */
export function pageAt(turns: number, count: number): number {
  return count ? turns % count : 0;
}

/** A time left as minutes and seconds, or with hours; zero once it is over. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours ? [hours, two(minutes), two(seconds % 60)] : [minutes, two(seconds % 60)];
  return parts.join(":");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
