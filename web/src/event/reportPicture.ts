// The picture of a report: an SVG from the server, which becomes a PNG that chats show.

/** The PNG of an SVG; null where the browser cannot draw it. */
export async function pngOf(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The name of the file of a report. */
export function fileName(title: string, day: string | null, suffix: string): string {
  const plain = title.replace(/[\\/:*?"<>|\p{C}]+/gu, " ").trim().slice(0, 80) || "jantaku";
  return `${[plain, day].filter(Boolean).join(" ")}.${suffix}`;
}

/** Which columns of a section are numbers: all whose cells are. */
export function numeric(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => /^([+−–▲▼●]?[\d,.]*%?|[\d,]+ \([\d.]+%?\))$/.test(row[column] ?? ""));
}
