// Pictures as they are sent: a small square, so that a photo of several megabytes stays on the device.
import { t } from "../lib/words.svelte";

const SIDE = 256;
const QUALITY = 0.85;

/** The middle of a picture as a small JPEG in base64. */
export async function smaller(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(t("picture.unreadable"));
  });
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error(t("picture.unreadable"));
  context.fillStyle = "#fff";
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  return canvas.toDataURL("image/jpeg", QUALITY).split(",")[1] ?? "";
}
