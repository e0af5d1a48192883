// Caches one build of the client, so that the app opens at once and shows a message without a network.
// The build fills in the file list. A new build waits until no page of the old one is open and only then deletes
// the old files: a table that stays open while the server gets a new client can still load everything it needs.
/* global __FILES__ */
const FILES = __FILES__;
const CACHE = "jantaku-__BUILD__";

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", ...FILES]);
}

async function begin() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** Fetch the page itself from the server if possible, because it names the newest build. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match("/");
    if (found) return found;
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(kept(event.request));
  else if (event.request.mode === "navigate" && !url.pathname.startsWith("/api/"))
    event.respondWith(page(event.request));
});

/** What concerns this person. It is heard again where the one of yesterday still lies there: both have the same tag. */
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, renotify: true, data: { url }, icon: "/icon-192.png" }),
  );
});

/** Show the page of the news. No other page is left for it: somebody may be in the middle of a game. */
async function open(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === url);
  return there ? there.focus() : self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});
