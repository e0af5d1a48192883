function separator(text: string): string {
  const first = text.split("\n", 1)[0] ?? "";
  const count = (sign: string): number => first.split(sign).length - 1;
  return ["\t", ";", ","].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ",");
}

/** The cells of a table as CSV (RFC 4180), with commas, semicolons or tabs. */
export function cells(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const mark = separator(clean);
  const rows: string[][] = [];
  let [row, cell, quoted] = [[] as string[], "", false];
  const endRow = (): void => {
    rows.push([...row, cell]);
    [row, cell] = [[], ""];
  };
  for (let i = 0; i < clean.length; i++) {
    const sign = clean[i] ?? "";
    if (quoted && sign === '"' && clean[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (sign === '"' && (quoted || cell.trim() === "")) {
      if (!quoted) cell = "";
      quoted = !quoted;
    } else if (quoted) cell += sign;
    else if (sign === mark) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n") endRow();
    else cell += sign;
  }
  if (cell || row.length) endRow();
  return rows.map((cells) => cells.map((text) => text.trim().normalize("NFC"))); // some systems write syllables in parts
}
