// Saves a file of the server. A link with `download` would show nothing of what the server refuses.
import type { ErrorBody } from "../generated/wire";
import { language, t } from "../lib/words.svelte";
import { Refused } from "./requests";

/**
 * Save what is at an address under the name that the server gives it; throws `Refused` with the server's message.
 * With a body it is asked for by POST.
 */
export async function download(address: string, body?: object): Promise<void> {
  const separator = address.includes("?") ? "&" : "?";
  const posted = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${address}${separator}lang=${language()}`, { credentials: "same-origin", ...posted }).catch(() => null);
  if (!answer) throw new Refused("offline", t("error.offline"));
  if (!answer.ok) {
    const { error } = (await answer.json().catch(() => ({ error: null }))) as Partial<ErrorBody>;
    throw new Refused(error?.code ?? "server", error?.message ?? t("error.server"), error?.field, answer.status);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "jantaku";
  link.click();
  URL.revokeObjectURL(link.href);
}
