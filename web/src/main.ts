import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import sprite from "./generated/tiles.svg?raw";
import { pageOf } from "./pages";
import { begin } from "./lib/settings.svelte";
import { listen } from "./lib/router.svelte";

function layTiles(): void {
  const holder = document.createElement("div");
  holder.className = "sprite";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = sprite;
  document.body.prepend(holder);
}

const target = document.getElementById("app");
if (target) {
  void pageOf(location.pathname).load(); // on its way while the words are
  layTiles();
  listen();
  await begin();
  mount(App, { target });
}
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
