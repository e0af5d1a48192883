// After a navigation the focus moves to the heading of the page, so that keys and screen readers go on there.
const LATEST_MS = 3000; // a heading that comes later does not take the focus

let stop = (): void => undefined;

/** Whether the reader or the page itself has put the focus somewhere in the new page. */
function taken(main: HTMLElement): boolean {
  const active = document.activeElement;
  return active !== null && active !== document.body && active !== main && active.closest("header") === null;
}

/** Call it before the page changes. A table has keys of its own and takes care of its focus. */
export function focusPage(): void {
  stop();
  const old = document.querySelector("#main h1");
  requestAnimationFrame(() => {
    const main = document.getElementById("main");
    if (!main || taken(main)) return;
    main.focus({ preventScroll: true });
    const look = (): void => {
      if (!main.isConnected || taken(main)) return stop();
      const heading = main.querySelector<HTMLElement>("h1");
      if (!heading || heading === old) return;
      stop();
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(look);
    const timer = window.setTimeout(() => stop(), LATEST_MS);
    stop = () => {
      watch.disconnect();
      window.clearTimeout(timer);
    };
    watch.observe(main, { childList: true, subtree: true });
    look();
  });
}
