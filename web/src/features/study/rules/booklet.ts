// The booklet of a set of rules: its URL and logo.
const LOGO_SIZE = { width: 480, height: 240 };

/** The URL of a booklet, without the language and without empty parameters. */
export function bookletAddress(id: string, wish: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(wish).filter(([, text]) => text.trim()));
  return `/api/rules/${encodeURIComponent(id)}/booklet${query.size ? `?${query}` : ""}`;
}

/** Scale a picture's size down to fit the space for the logo. */
export function logoSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LOGO_SIZE.width / width, LOGO_SIZE.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Convert a picture to a small JPEG in base64; throws if the browser cannot read it. */
export async function smallLogo(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const canvas = Object.assign(document.createElement("canvas"), logoSize(picture.width, picture.height));
  const paint = canvas.getContext("2d")!;
  paint.fillStyle = "#fff"; // transparent parts would otherwise be black
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", 0.85).split(",")[1] ?? "";
}
