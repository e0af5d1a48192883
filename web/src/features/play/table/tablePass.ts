// Passing with a right click, or with a short tap on an empty part of the table.
const SEEN_MS = 400; // a tap that starts sooner after the question was meant for something else
const SHORT_MS = 350; // a longer press is not a tap
const NEAR = 10; // pixels
const MENU_MS = 600;
const THINGS = "svg, button, a, .plate, .middle";

type Point = Pick<PointerEvent, "timeStamp" | "clientX" | "clientY" | "button" | "pointerType" | "isPrimary">;

/** Whether the target is an empty part of the table. */
export function isBare(target: EventTarget | null): boolean {
  return !(target instanceof Element && target.closest(THINGS));
}

export class TablePass {
  private since: number | null = null; // when the question arrived
  private press: { at: number; x: number; y: number } | null = null;
  private rightAt = -MENU_MS;

  setQuestion(at: number | null): void {
    this.since = at;
    this.press = null;
  }

  /** Handle a pointer going down, `bare` on an empty part of the table; returns whether it passes. */
  down({ timeStamp, clientX, clientY, button, pointerType, isPrimary }: Point, bare: boolean): boolean {
    this.press = null;
    if (this.since === null) return false;
    if (button === 2 && pointerType === "mouse") {
      this.rightAt = timeStamp;
      return true;
    }
    if (bare && button === 0 && isPrimary && timeStamp - this.since >= SEEN_MS)
      this.press = { at: timeStamp, x: clientX, y: clientY };
    return false;
  }

  /** Handle a pointer going up; returns whether it passes. */
  up({ timeStamp, clientX, clientY }: Point): boolean {
    const press = this.press;
    this.press = null;
    return (
      press !== null && timeStamp - press.at <= SHORT_MS && Math.hypot(clientX - press.x, clientY - press.y) <= NEAR
    );
  }

  /** Whether to suppress the browser's menu, because a right click has just passed. */
  menu({ timeStamp }: Pick<Event, "timeStamp">): boolean {
    return timeStamp - this.rightAt < MENU_MS;
  }
}
