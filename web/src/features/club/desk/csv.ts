function delimiterOf(text: string): string {
  const first = text.split("\n", 1)[0] ?? "";
  const count = (char: string): number => first.split(char).length - 1;
  return ["\t", ";", ","].reduce((best, char) => (count(char) > count(best) ? char : best), ",");
}

/** Parse CSV (RFC 4180) separated by commas, semicolons or tabs into rows of cells. */
export function parseCells(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const delimiter = delimiterOf(clean);
  const rows: string[][] = [];
  let [row, cell, quoted] = [[] as string[], "", false];
  const endRow = (): void => {
    rows.push([...row, cell]);
    [row, cell] = [[], ""];
  };
  for (let i = 0; i < clean.length; i++) {
    const char = clean[i] ?? "";
    if (quoted && char === '"' && clean[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (char === '"' && (quoted || cell.trim() === "")) {
      if (!quoted) cell = "";
      quoted = !quoted;
    } else if (quoted) cell += char;
    else if (char === delimiter) {
      row.push(cell);
      cell = "";
    } else if (char === "\n") endRow();
    else cell += char;
  }
  if (cell || row.length) endRow();
  return rows.map((cells) => cells.map((text) => text.trim().normalize("NFC"))); // some systems decompose Hangul and kana
}
