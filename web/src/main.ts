import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import sprite from "$generated/tiles.svg?url";
import { begin } from "$data/deviceSettings.svelte";
import { loadPerson, stranger } from "$data/person.svelte";
import { listen } from "$ui/router.svelte";
import { pageOf } from "./pages";

/** The page has already started loading the tiles; nothing else waits for them. */
async function layTiles(): Promise<void> {
  const answer = await fetch(sprite);
  if (!answer.ok) return;
  const holder = document.createElement("div");
  holder.className = "sprite";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = await answer.text();
  document.body.prepend(holder);
}

/** Registered last, because it fetches the pages that are not open yet. */
function install(): void {
  window.setTimeout(() => void navigator.serviceWorker.register("/sw.js"), 2000);
}

const target = document.getElementById("app");
if (target) {
  const first = pageOf(location.pathname);
  const page = first.load().catch(() => undefined); // loads at the same time as the words
  // A page that finds out later who is here would move under a tap
  const met = stranger() || first.offlineCapable ? null : loadPerson().catch(() => undefined);
  listen();
  await begin();
  await page;
  await met;
  target.replaceChildren();
  mount(App, { target });
  // After the interactive elements have been painted
  requestAnimationFrame(() => window.setTimeout(() => void layTiles().catch(() => undefined)));
}
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") install();
  else window.addEventListener("load", install);
}
