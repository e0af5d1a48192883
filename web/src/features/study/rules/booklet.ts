// The booklet of a ruleset: where it is, and its logo.
const LOGO_SIZE = { width: 480, height: 240 };

/** The address of a ruleset's booklet, without the language; what is empty is not asked for. */
export function bookletAddress(id: string, wish: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(wish).filter(([, text]) => text.trim()));
  return `/api/rules/${encodeURIComponent(id)}/booklet${query.size ? `?${query}` : ""}`;
}

/** The size of a picture that fits into the space for the logo; small pictures stay as they are. */
export function logoSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LOGO_SIZE.width / width, LOGO_SIZE.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** A picture of any size as a small JPEG file in base64; throws if the browser cannot read it. */
export async function smallLogo(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const canvas = Object.assign(document.createElement("canvas"), logoSize(picture.width, picture.height));
  const paint = canvas.getContext("2d")!;
  paint.fillStyle = "#fff"; // what is transparent would be black
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", 0.85).split(",")[1] ?? "";
}
