/// <reference lib="webworker" />
// Caches one build of the client, so that the app opens at once and shows a message when offline. A new build waits until
// no page of the old one is open, so that a table left open during a deployment can still load everything it needs.
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

/** Fetch the HTML from the server if possible, because it names the newest build. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await matchPrecache("index.html");
    if (cached) return cached;
    throw error;
  }
}

registerRoute(new NavigationRoute(({ request }) => page(request), { denylist: [/^\/api\//] })); // before the precached page
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** A notification replaces an earlier one with the same tag and alerts again. */
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data?.json() as Record<"title" | "body" | "url" | "tag", string>;
  const options = { body, tag, renotify: true, data: { url }, icon: "/icon-192.png" };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** Show the page of a notification. Other windows stay as they are: a game may be in progress there. */
async function open(url: string): Promise<unknown> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const existing = windows.find((window) => new URL(window.url).pathname === url);
  return existing ? existing.focus() : self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { url: string }).url));
});
