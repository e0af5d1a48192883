// Passing by the table itself: the right button of a mouse, or a short tap where nothing lies.
const SEEN_MS = 400; // a tap that was begun sooner after the question was meant for something else
const SHORT_MS = 350; // whoever holds a finger down looks at something
const NEAR = 10; // pixels
const MENU_MS = 600;
const THINGS = "svg, button, a, .plate, .middle";

type Point = Pick<PointerEvent, "timeStamp" | "clientX" | "clientY" | "button" | "pointerType" | "isPrimary">;

/** Whether nothing lies there that somebody may want to touch. */
export function isBare(target: EventTarget | null): boolean {
  return !(target instanceof Element && target.closest(THINGS));
}

export class TablePass {
  private since: number | null = null; // when the question was asked
  private begun: { at: number; x: number; y: number } | null = null;
  private rightAt = -MENU_MS;

  asked(at: number | null): void {
    this.since = at;
    this.begun = null;
  }

  /** A button or finger goes down, perhaps where nothing lies; whether that passes. */
  down({ timeStamp, clientX, clientY, button, pointerType, isPrimary }: Point, bare: boolean): boolean {
    this.begun = null;
    if (this.since === null) return false;
    if (button === 2 && pointerType === "mouse") {
      this.rightAt = timeStamp;
      return true;
    }
    if (bare && button === 0 && isPrimary && timeStamp - this.since >= SEEN_MS)
      this.begun = { at: timeStamp, x: clientX, y: clientY };
    return false;
  }

  /** It goes up; whether that passes. */
  up({ timeStamp, clientX, clientY }: Point): boolean {
    const begun = this.begun;
    this.begun = null;
    return (
      begun !== null && timeStamp - begun.at <= SHORT_MS && Math.hypot(clientX - begun.x, clientY - begun.y) <= NEAR
    );
  }

  /** Whether the menu of the browser belongs to a right button that was meant for the table. */
  menu({ timeStamp }: Pick<Event, "timeStamp">): boolean {
    return timeStamp - this.rightAt < MENU_MS;
  }
}
