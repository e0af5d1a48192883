// The colour in which each seat calls, as each has a voice of its own.
const COLOURS = ["#c3202b", "#1f6fc9", "#c96a12", "#7a3fc4"] as const;

export function colourOf(seat: number): string {
  return COLOURS[seat % COLOURS.length] ?? COLOURS[0];
}
