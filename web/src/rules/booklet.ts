/** What the organiser adds to a booklet, and the page it is made for. */
export interface BookletWish {
  club: string;
  date: string;
  paper: "a4" | "phone";
}

/** The address of a ruleset's booklet, without the language. */
export function bookletAddress(id: string, format: "html" | "pdf" | "md", wish: BookletWish): string {
  const query = new URLSearchParams({ format, paper: wish.paper });
  if (wish.club.trim()) query.set("club", wish.club.trim());
  if (wish.date.trim()) query.set("date", wish.date.trim());
  return `/api/rules/${encodeURIComponent(id)}/booklet?${query}`;
}
