// Reaching somebody who looks elsewhere, and a screen that stays lit while one plays.
const SHORT_MS = 60;

/** A short tremble, on devices that can. */
export function tremble(): void {
  if ("vibrate" in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(SHORT_MS);
}

/** Keep the screen lit until the function that is given back is called. Browsers allow it on secure pages only. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function hold(): Promise<void> {
    if (over || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    const held = await navigator.wakeLock.request("screen").catch(() => null); // refused with little battery
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
