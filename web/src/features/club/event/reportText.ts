/** Which columns of a section are numbers: all whose cells are. */
export function numeric(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => /^([+−–▲▼●]?[\d,.]*%?|[\d,]+ \([\d.]+%?\))$/.test(row[column] ?? ""));
}
