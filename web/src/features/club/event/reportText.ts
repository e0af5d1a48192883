export function fileName(title: string, day: string | null, suffix: string): string {
  const plain =
    title
      .replace(/[\\/:*?"<>|\p{C}]+/gu, " ")
      .trim()
      .slice(0, 80) || "jantaku";
  return `${[plain, day].filter(Boolean).join(" ")}.${suffix}`;
}

/** Which columns of a section are numbers: all whose cells are. */
export function numeric(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => /^([+−–▲▼●]?[\d,.]*%?|[\d,]+ \([\d.]+%?\))$/.test(row[column] ?? ""));
}
