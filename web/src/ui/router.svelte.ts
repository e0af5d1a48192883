export interface Route {
  path: string;
  query: URLSearchParams;
}

const current = $state({ href: location.pathname + location.search });

export function route(): Route {
  const url = new URL(current.href, location.origin);
  return { path: url.pathname, query: url.searchParams };
}

/** The scroll position of each history entry, by the number in its state. */
const positions = new Map<number, number>();
const RESTORE_MS = 3000; // time for a page to reach its former length
let entry = 0;
let made = 0;
const HEADING_MS = 3000; // a heading that appears later does not get the focus
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
  current.href = href;
  window.scrollTo(0, 0);
  if (!replace && location.pathname !== before) focusPage();
}

/** Change the URL without changing the page. */
export function replaceAddress(href: string): void {
  history.replaceState({ entry }, "", href);
}

/** Whether the router handles a click on a link; the browser handles others, such as those for a new tab. */
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

/** Restore the scroll position when the page is long enough, unless the user scrolls or leaves first. */
function restore(position: number): void {
  const wanted = entry;
  const until = performance.now() + RESTORE_MS;
  const stop = new AbortController();
  for (const name of ["wheel", "touchstart", "keydown", "pointerdown"])
    window.addEventListener(name, () => stop.abort(), { signal: stop.signal });
  const attempt = (): void => {
    if (stop.signal.aborted || entry !== wanted) return stop.abort();
    window.scrollTo(0, position);
    if (Math.abs(window.scrollY - position) < 1 || performance.now() > until) stop.abort();
    else requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

function back(event: PopStateEvent): void {
  const before = current.href;
  entry = numberOf(event.state);
  current.href = location.pathname + location.search;
  if (current.href === before) return;
  restore(positions.get(entry) ?? 0);
  focusPage();
}

/** Whether the user or the page has already set the focus within the new page. */
function focusIsSet(main: HTMLElement): boolean {
  const active = document.activeElement;
  return active !== null && active !== document.body && active !== main && active.closest("header") === null;
}

/**
 * Move the focus to the heading of the page being opened, so that keyboard and screen reader users continue there.
 * A table has its own shortcuts and manages its own focus.
 */
function focusPage(): void {
  stopWaiting();
  const old = document.querySelector("#main h1");
  requestAnimationFrame(() => {
    const main = document.getElementById("main");
    if (!main || focusIsSet(main)) return;
    main.focus({ preventScroll: true });
    const attempt = (): void => {
      if (!main.isConnected || focusIsSet(main)) return stopWaiting();
      const heading = main.querySelector<HTMLElement>("h1");
      if (!heading || heading === old) return;
      stopWaiting();
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(attempt);
    const timer = window.setTimeout(() => stopWaiting(), HEADING_MS);
    stopWaiting = () => {
      watch.disconnect();
      window.clearTimeout(timer);
    };
    watch.observe(main, { childList: true, subtree: true });
    attempt();
  });
}

export function listen(): void {
  made = entry = numberOf(history.state);
  history.replaceState({ entry }, "");
  history.scrollRestoration = "manual";
  const position = Number(sessionStorage.getItem("jantaku.scrolled") ?? 0);
  sessionStorage.removeItem("jantaku.scrolled");
  if (
    position &&
    performance.getEntriesByType("navigation").some((one) => (one as PerformanceNavigationTiming).type !== "navigate")
  )
    restore(position);
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
