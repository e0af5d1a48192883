/** Whether all cells of a column are numbers. */
export function isNumeric(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => /^([+−–▲▼●]?[\d,.]*%?|[\d,]+ \([\d.]+%?\))$/.test(row[column] ?? ""));
}
