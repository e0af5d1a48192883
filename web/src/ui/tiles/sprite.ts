// The pictures of all tiles, fetched with the first tile drawn, because the lobby draws none.
import sprite from "$generated/tiles.svg?url";

let laid = false;

export function layTiles(): void {
  if (laid) return;
  laid = true;
  lay().catch(() => (laid = false));
}

async function lay(): Promise<void> {
  const answer = await fetch(sprite);
  if (!answer.ok) throw new Error(answer.statusText);
  const holder = document.createElement("div");
  holder.className = "sprite";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = await answer.text();
  document.body.prepend(holder);
}
