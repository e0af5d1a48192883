// Saves a file of the server. A link with `download` would show nothing of what the server refuses.
import { language, t } from "$domain/words.svelte";
import { refusalOf, Refused } from "./requests";

/**
 * Save what is at an address under the name that the server gives it; throws `Refused` with the server's message.
 * With a body it is asked for by POST.
 */
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

/** Save what the page itself has. */
export function save(what: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(what);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The name of a file in a `content-disposition`: with all its letters, or else in ASCII. */
export function fileName(disposition: string): string {
  const coded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return coded ? decodeURIComponent(coded) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? "jantaku");
}
