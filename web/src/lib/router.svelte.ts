// Which page is open: the path of the address.
export interface Route {
  path: string;
  query: URLSearchParams;
}

const here = $state({ href: location.pathname + location.search });

export function route(): Route {
  const url = new URL(here.href, location.origin);
  return { path: url.pathname, query: url.searchParams };
}

export function go(href: string, replace = false): void {
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  here.href = href;
  window.scrollTo(0, 0);
}

/** Change the address without changing the page. */
export function replaceAddress(href: string): void {
  history.replaceState(null, "", href);
}

export function listen(): void {
  window.addEventListener("popstate", () => (here.href = location.pathname + location.search));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest("a");
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
