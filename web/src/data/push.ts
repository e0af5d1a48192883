// Push notifications of this browser: support, permission and subscription.
import { language } from "$domain/words.svelte";
import { send } from "./requests";

/** `none`: not supported here. `home`: only once the app is on the home screen. */
export type PushState = "none" | "home" | "denied" | "off" | "on";

/** The state as far as the browser determines it; null: the server decides. */
export function browserState(
  supported: boolean,
  secure: boolean,
  installed: boolean | undefined,
  permission: NotificationPermission,
): PushState | null {
  if (!secure) return "none";
  if (!supported) return installed === false ? "home" : "none";
  return permission === "denied" ? "denied" : null;
}

/** `navigator.standalone` exists only in Safari on phones and tablets. */
function currentBrowserState(): PushState | null {
  const supported = "PushManager" in window && "serviceWorker" in navigator && "Notification" in window;
  const installed = (navigator as { standalone?: boolean }).standalone;
  return browserState(supported, window.isSecureContext, installed, supported ? Notification.permission : "default");
}

export async function pushState(): Promise<PushState> {
  const state = currentBrowserState();
  if (state) return state;
  const { on, language: spoken } = await send("GET /api/me/push", {});
  if (on && spoken !== language()) {
    // Subscribe again in the new language
    const subscription = await (await subscriptions()).getSubscription();
    if (subscription) await register(subscription);
  }
  return on && Notification.permission === "granted" ? "on" : "off";
}

async function subscriptions(): Promise<PushManager> {
  return (await navigator.serviceWorker.ready).pushManager;
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await send("PUT /api/me/push", {
    body: { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
  });
}

/** Turn notifications on. Call it from a click handler, because the browser asks for permission. */
export async function turnOn(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const manager = await subscriptions();
  const { key } = await send("GET /api/me/push", {});
  await (await manager.getSubscription())?.unsubscribe(); // it may use an old key
  await register(await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return "on";
}

export async function turnOff(): Promise<PushState> {
  await send("DELETE /api/me/push", {});
  await (await (await subscriptions()).getSubscription())?.unsubscribe();
  return "off";
}
