// What moves behind the hand of a scene, drawn on a canvas: embers, lightning, leaves, clouds, stars, fireworks.

/** Draws one frame: the size in pixels and the seconds since the scene began. */
export type Painter = (
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  width: number,
  height: number,
  seconds: number,
) => void;

const TURN = 2 * Math.PI;

/** The same numbers between 0 and 1 for the same seed: a scene always looks alike. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Grain {
  /** Where it begins, how fast it goes, how large it is, and when in its course it is at first: all from 0 to 1. */
  x: number;
  y: number;
  speed: number;
  size: number;
  phase: number;
}

function grains(count: number, seed: number): Grain[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => ({ x: next(), y: next(), speed: next(), size: next(), phase: next() }));
}

/** Sparks that rise like those of a fire. */
function embers(colours: readonly string[], count: number, seed: number): Painter {
  const all = grains(count, seed);
  return (context, width, height, seconds) => {
    all.forEach(({ x, speed, size, phase }, i) => {
      const course = (phase + seconds * (0.12 + 0.3 * speed)) % 1;
      const sway = Math.sin(seconds * (1 + 2 * speed) + phase * TURN) * width * 0.03;
      context.globalAlpha = Math.min(1, 4 * course) * (1 - course);
      context.fillStyle = colours[i % colours.length] ?? "#fff";
      const grain = (1.5 + 3.5 * size) * (1 - 0.5 * course);
      context.fillRect(x * width + sway, height * (1.05 - 1.15 * course), grain, grain * 1.8);
    });
    context.globalAlpha = 1;
  };
}

/** Sparks that circle outwards. */
function swirl(colours: readonly string[], count: number, seed: number): Painter {
  const all = grains(count, seed);
  return (context, width, height, seconds) => {
    const long = Math.max(width, height) * 0.62;
    all.forEach(({ speed, size, phase, x }, i) => {
      const course = (phase + seconds * (0.15 + 0.25 * speed)) % 1;
      const angle = x * TURN + seconds * 0.8 + course * 4;
      context.globalAlpha = Math.sin(course * Math.PI);
      context.fillStyle = colours[i % colours.length] ?? "#fff";
      context.beginPath();
      context.arc(
        width / 2 + Math.cos(angle) * long * course,
        height * 0.45 + Math.sin(angle) * long * course,
        1 + 2.6 * size,
        0,
        TURN,
      );
      context.fill();
    });
    context.globalAlpha = 1;
  };
}

const STRIKES = 0.62; // seconds from one lightning to the next

function lightning(colour: string): Painter {
  return (context, width, height, seconds) => {
    const number = Math.floor(seconds / STRIKES);
    const since = seconds % STRIKES;
    if (since > 0.28) return;
    const next = numbers(number * 7919 + 17);
    context.globalAlpha = 1 - since / 0.28;
    context.strokeStyle = colour;
    context.lineWidth = 2.5;
    context.beginPath();
    let x = width * (0.12 + 0.76 * next());
    context.moveTo(x, 0);
    for (let y = 0; y < height; y += height / 11) {
      x += (next() - 0.5) * width * 0.16;
      context.lineTo(x, y + height / 11);
    }
    context.stroke();
    if (since < 0.07) {
      context.fillStyle = "rgb(255 245 210 / 0.16)";
      context.fillRect(0, 0, width, height);
    }
    context.globalAlpha = 1;
  };
}

/** Bamboo leaves that fall and turn. */
function leaves(count: number, seed: number): Painter {
  const all = grains(count, seed);
  const colours = ["#5fd07f", "#2f9c5f", "#a5e6a0"];
  return (context, width, height, seconds) => {
    all.forEach(({ x, speed, size, phase }, i) => {
      const course = (phase + seconds * (0.1 + 0.16 * speed)) % 1;
      const long = 14 + 22 * size;
      context.save();
      context.translate(width * (x + 0.1 * Math.sin(seconds + phase * TURN)), height * (1.2 * course - 0.1));
      context.rotate(seconds * (0.6 + speed) + phase * TURN);
      context.fillStyle = colours[i % colours.length] ?? "#5fd07f";
      context.beginPath();
      context.moveTo(-long, 0);
      context.quadraticCurveTo(0, -long * 0.32, long, 0);
      context.quadraticCurveTo(0, long * 0.32, -long, 0);
      context.fill();
      context.restore();
    });
  };
}

/** Clouds that part, and light that falls between them. */
function clouds(count: number, seed: number): Painter {
  const all = grains(count, seed);
  return (context, width, height, seconds) => {
    const open = Math.min(1, seconds / 1.6);
    const light = context.createLinearGradient(0, 0, 0, height);
    light.addColorStop(0, `rgb(255 240 190 / ${0.75 * open})`);
    light.addColorStop(1, "rgb(255 240 190 / 0)");
    context.fillStyle = light;
    context.beginPath();
    context.moveTo(width * (0.5 - 0.12 * open), 0);
    context.lineTo(width * (0.5 + 0.12 * open), 0);
    context.lineTo(width * (0.5 + 0.42 * open), height);
    context.lineTo(width * (0.5 - 0.42 * open), height);
    context.fill();
    for (const { x, y, size, speed } of all) {
      const side = x < 0.5 ? -1 : 1;
      const wide = width * (0.16 + 0.2 * size);
      const at = width * (0.5 + side * (0.06 + Math.abs(x - 0.5)) + side * open * (0.25 + 0.3 * speed));
      context.globalAlpha = 0.5;
      context.fillStyle = "#dfe9f7";
      context.beginPath();
      context.ellipse(at, height * (0.02 + 0.34 * y), wide, wide * 0.34, 0, 0, TURN);
      context.fill();
    }
    context.globalAlpha = 1;
  };
}

function stars(count: number, seed: number): Painter {
  const all = grains(count, seed);
  return (context, width, height, seconds) => {
    for (const { x, y, size, speed, phase } of all) {
      context.globalAlpha = 0.35 + 0.65 * Math.abs(Math.sin(seconds * (0.7 + 2 * speed) + phase * TURN));
      context.fillStyle = size > 0.85 ? "#ffe7a3" : "#fff";
      const grain = 0.8 + 2 * size;
      context.fillRect(x * width, y * height, grain, grain);
    }
    context.globalAlpha = 1;
  };
}

/** Streaks of wind from all four sides. */
function gusts(count: number, seed: number): Painter {
  const all = grains(count, seed);
  return (context, width, height, seconds) => {
    context.lineCap = "round";
    all.forEach(({ x, speed, size, phase }, i) => {
      const course = (phase + seconds * (0.5 + 0.6 * speed)) % 1;
      const angle = ((i % 4) * TURN) / 4 + 0.5 * Math.sin(x * TURN);
      const far = Math.max(width, height) * 0.75 * (1 - course);
      const around = x * TURN + course * 2.4;
      const [cx, cy] = [width / 2 + Math.cos(angle + around) * far, height * 0.45 + Math.sin(angle + around) * far];
      context.globalAlpha = 0.6 * Math.sin(course * Math.PI);
      context.strokeStyle = "#d5f0ff";
      context.lineWidth = 0.8 + 2 * size;
      context.beginPath();
      context.arc(width / 2, height * 0.45, Math.max(8, far), angle + around, angle + around + 0.35);
      context.moveTo(cx, cy);
      context.stroke();
    });
    context.globalAlpha = 1;
  };
}

const BURST = 0.55; // seconds from one firework to the next

function fireworks(colours: readonly string[]): Painter {
  return (context, width, height, seconds) => {
    for (let number = Math.max(0, Math.floor(seconds / BURST) - 2); number <= seconds / BURST; number++) {
      const since = seconds - number * BURST;
      const next = numbers(number * 104729 + 3);
      const [x, y] = [width * (0.12 + 0.76 * next()), height * (0.08 + 0.5 * next())];
      const far = Math.min(width, height) * (0.22 + 0.16 * next()) * (1 - Math.exp(-3 * since));
      context.fillStyle = colours[number % colours.length] ?? "#ffd75e";
      context.globalAlpha = Math.max(0, 1 - since / 1.4);
      for (let i = 0; i < 26; i++) {
        const angle = (i * TURN) / 26;
        const grain = 3.4 - 1.6 * since;
        const reach = far * (i % 2 ? 1 : 0.62);
        context.fillRect(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach + 60 * since * since, grain, grain);
      }
    }
    context.globalAlpha = 1;
  };
}

const GOLD = ["#ffd75e", "#fff1bd", "#ffa726"] as const;
const VIOLET = ["#b48cff", "#7fb7ff", "#f5d7ff"] as const;

/** Made anew for each scene. */
export const PAINTERS = {
  embers: () => embers(["#ff8a3c", "#ffd75e", "#ff5a3c"], 70, 5),
  swirl: () => swirl(VIOLET, 90, 11),
  lightning: () => lightning("#fff4c4"),
  leaves: () => leaves(36, 23),
  clouds: () => clouds(26, 31),
  stars: () => stars(120, 41),
  gusts: () => gusts(48, 53),
  sparks: () => embers(GOLD, 60, 61),
  fireworks: () => fireworks([...GOLD, "#ff6b6b", "#7fd3ff"]),
} as const satisfies Record<string, () => Painter>;
export type Effect = keyof typeof PAINTERS;
