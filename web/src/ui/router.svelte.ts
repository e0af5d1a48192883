export interface Route {
  path: string;
  query: URLSearchParams;
}

const here = $state({ href: location.pathname + location.search });

export function route(): Route {
  const url = new URL(here.href, location.origin);
  return { path: url.pathname, query: url.searchParams };
}

/** Where each entry of the history was scrolled to, by the number in its state. */
const positions = new Map<number, number>();
const RESTORE_MS = 3000; // how long a page may take to become as long as it was
let entry = 0;
let made = 0;
const HEADING_MS = 3000; // a heading that comes later does not take the focus
let stopWaiting = (): void => undefined;

function numberOf(state: unknown): number {
  return typeof state === "object" && state !== null && "entry" in state && typeof state.entry === "number"
    ? state.entry
    : 0;
}

export function go(href: string, replace = false): void {
  const before = location.pathname;
  if (replace) history.replaceState({ entry }, "", href);
  else {
    positions.set(entry, window.scrollY);
    entry = ++made;
    history.pushState({ entry }, "", href);
  }
  here.href = href;
  window.scrollTo(0, 0);
  if (!replace && location.pathname !== before) focusPage();
}

/** Change the address without changing the page. */
export function replaceAddress(href: string): void {
  history.replaceState({ entry }, "", href);
}

/** Whether a click on a link opens it here; any other is the browser's, such as one for a new tab or window. */
export function opensHere(
  event: Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey" | "defaultPrevented">,
): boolean {
  return (
    event.button === 0 &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey &&
    !event.defaultPrevented
  );
}

/** Scroll as soon as the page is long enough, unless the reader scrolls or leaves first. */
function restore(position: number): void {
  const wanted = entry;
  const until = performance.now() + RESTORE_MS;
  const stop = new AbortController();
  for (const name of ["wheel", "touchstart", "keydown", "pointerdown"])
    window.addEventListener(name, () => stop.abort(), { signal: stop.signal });
  const look = (): void => {
    if (stop.signal.aborted || entry !== wanted) return stop.abort();
    window.scrollTo(0, position);
    if (Math.abs(window.scrollY - position) < 1 || performance.now() > until) stop.abort();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

function back(event: PopStateEvent): void {
  const before = here.href;
  entry = numberOf(event.state);
  here.href = location.pathname + location.search;
  if (here.href === before) return;
  restore(positions.get(entry) ?? 0);
  focusPage();
}

/** Whether the reader or the page itself has put the focus somewhere in the new page. */
function taken(main: HTMLElement): boolean {
  const active = document.activeElement;
  return active !== null && active !== document.body && active !== main && active.closest("header") === null;
}

/**
 * Move the focus to the heading of the page that is about to open, so that keys and screen readers go on there.
 * A table has keys of its own and takes care of its focus.
 */
function focusPage(): void {
  stopWaiting();
  const old = document.querySelector("#main h1");
  requestAnimationFrame(() => {
    const main = document.getElementById("main");
    if (!main || taken(main)) return;
    main.focus({ preventScroll: true });
    const look = (): void => {
      if (!main.isConnected || taken(main)) return stopWaiting();
      const heading = main.querySelector<HTMLElement>("h1");
      if (!heading || heading === old) return;
      stopWaiting();
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(look);
    const timer = window.setTimeout(() => stopWaiting(), HEADING_MS);
    stopWaiting = () => {
      watch.disconnect();
      window.clearTimeout(timer);
    };
    watch.observe(main, { childList: true, subtree: true });
    look();
  });
}

export function listen(): void {
  made = entry = numberOf(history.state);
  history.replaceState({ entry }, "");
  history.scrollRestoration = "manual";
  const left = Number(sessionStorage.getItem("jantaku.scrolled") ?? 0);
  sessionStorage.removeItem("jantaku.scrolled");
  if (
    left &&
    performance.getEntriesByType("navigation").some((one) => (one as PerformanceNavigationTiming).type !== "navigate")
  )
    restore(left);
  window.addEventListener("pagehide", () => sessionStorage.setItem("jantaku.scrolled", String(window.scrollY)));
  window.addEventListener("popstate", (event) => {
    positions.set(entry, window.scrollY);
    back(event);
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest("a");
    if (!link || !opensHere(event)) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
