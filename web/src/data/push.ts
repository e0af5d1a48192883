// Notifications of this browser: whether it can show them, and how they are turned on and off.
import { language } from "$domain/words.svelte";
import { send } from "./requests";

/** `none`: this browser has no notifications here. `home`: only after it is added to the home screen. */
export type PushState = "none" | "home" | "denied" | "off" | "on";

/** What the browser itself allows; `null`: the server decides. */
export function locally(
  has: boolean,
  secure: boolean,
  installed: boolean | undefined,
  permission: NotificationPermission,
): PushState | null {
  if (!secure) return "none";
  if (!has) return installed === false ? "home" : "none";
  return permission === "denied" ? "denied" : null;
}

/** `navigator.standalone` exists in Safari on phones and tablets only. */
function here(): PushState | null {
  const has = "PushManager" in window && "serviceWorker" in navigator && "Notification" in window;
  const installed = (navigator as { standalone?: boolean }).standalone;
  return locally(has, window.isSecureContext, installed, has ? Notification.permission : "default");
}

export async function pushState(): Promise<PushState> {
  const state = here();
  if (state) return state;
  const { on, language: spoken } = await send("GET /api/me/push", {});
  if (on && spoken !== language()) {
    // The language has changed: subscribe again in the new one
    const subscription = await (await subscriptions()).getSubscription();
    if (subscription) await give(subscription);
  }
  return on && Notification.permission === "granted" ? "on" : "off";
}

async function subscriptions(): Promise<PushManager> {
  return (await navigator.serviceWorker.ready).pushManager;
}

async function give(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await send("PUT /api/me/push", {
    body: { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
  });
}

/** Turn notifications on; call it at a tap, because the browser asks for permission. */
export async function turnOn(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const manager = await subscriptions();
  const { key } = await send("GET /api/me/push", {});
  await (await manager.getSubscription())?.unsubscribe(); // it may belong to another key
  await give(await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return "on";
}

export async function turnOff(): Promise<PushState> {
  await send("DELETE /api/me/push", {});
  await (await (await subscriptions()).getSubscription())?.unsubscribe();
  return "off";
}
