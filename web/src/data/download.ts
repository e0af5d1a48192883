// Downloads files. A plain link with `download` could not show why the server refused.
import { language, t } from "$domain/words.svelte";
import { refusalOf, Refused } from "./requests";

/** Save the file at a URL under the name in the response; POST if there is a body. Throws `Refused` with the server's message. */
export async function download(address: string, body?: object): Promise<void> {
  const separator = address.includes("?") ? "&" : "?";
  const posted = body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${address}${separator}lang=${language()}`, {
    credentials: "same-origin",
    ...posted,
  }).catch(() => null);
  if (!answer) throw new Refused("offline", t("error.offline"));
  if (!answer.ok) throw refusalOf(await answer.json().catch(() => null), answer.status);
  save(await answer.blob(), fileName(answer.headers.get("content-disposition") ?? ""));
}

/** Save data of the page itself as a file. */
export function save(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The file name in a `content-disposition` header: the UTF-8 one if present, otherwise the ASCII one. */
export function fileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? "jantaku");
}
