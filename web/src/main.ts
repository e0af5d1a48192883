import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { applySettings } from "$data/deviceSettings.svelte";
import { loadPerson, signedOut } from "$data/person.svelte";
import { listen } from "$ui/router.svelte";
import { pageOf } from "./pages";

/** Delayed, because the service worker prefetches all pages. */
function install(): void {
  window.setTimeout(() => void navigator.serviceWorker.register("/sw.js"), 2000);
}

const target = document.getElementById("app");
if (target) {
  const first = pageOf(location.pathname);
  const page = first.load().catch(() => undefined); // in parallel with the texts
  // Wait for the account: a page that learned of it later would move under a tap
  const personLoaded = signedOut() || first.offlineCapable ? null : loadPerson().catch(() => undefined);
  listen();
  await applySettings();
  await page;
  await personLoaded;
  target.replaceChildren();
  mount(App, { target });
}
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") install();
  else window.addEventListener("load", install);
}
