/// <reference lib="webworker" />
// Keeps one build of the client, so that the app opens at once and shows a message without a network. A new build waits
// until no page of the old one is open: a table that stays open while the server gets a new client can still load
// everything it needs.
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

/** Fetch the page itself from the server if possible, because it names the newest build. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await matchPrecache("index.html");
    if (kept) return kept;
    throw error;
  }
}

registerRoute(new NavigationRoute(({ request }) => page(request), { denylist: [/^\/api\//] })); // before the kept page
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** A notification with the tag of an older one replaces it, and rings again. */
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data?.json() as Record<"title" | "body" | "url" | "tag", string>;
  const shown = { body, tag, renotify: true, data: { url }, icon: "/icon-192.png" };
  event.waitUntil(self.registration.showNotification(title, shown));
});

/** Show the page of a notification. Other pages stay as they are: somebody may be in the middle of a game. */
async function open(url: string): Promise<unknown> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === url);
  return there ? there.focus() : self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { url: string }).url));
});
