export function qrAddress(
  event: string,
  query: {
    page?: "events" | "record" | "screen";
    game?: string;
    table?: string;
    code?: string;
    entry?: string;
    card?: string;
  } = {},
): string {
  return `/api/events/${encodeURIComponent(event)}/qr.svg?${new URLSearchParams(query)}`;
}
