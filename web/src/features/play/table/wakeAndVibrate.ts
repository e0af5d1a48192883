// Gets the attention of a player who looks elsewhere, and keeps the screen on during play.
const SHORT_MS = 60;

/** A short vibration, on devices that support it. */
export function tremble(): void {
  if ("vibrate" in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(SHORT_MS);
}

/** Keep the screen on until the returned function is called. Browsers allow it on secure pages only. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function hold(): Promise<void> {
    if (over || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    const held = await navigator.wakeLock.request("screen").catch(() => null); // refused when the battery is low
    if (over) await held?.release();
    else lock = held;
  }

  document.addEventListener("visibilitychange", hold); // a lock ends when the page is hidden
  void hold();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", hold);
    void lock?.release();
  };
}
