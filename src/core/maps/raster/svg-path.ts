/** A line or ring of a path. */
export interface Subpath {
  /** x, y, x, y … */
  points: number[];
  closed: boolean;
}

/** Curves become this many straight edges: images are about twenty pixels large. */
const CURVE_EDGES = 10;
/** Between two corners of an arc at most [radians]. */
const ARC_STEP = Math.PI / 12;

const COMMANDS = /([a-z])|([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)/gi;
/** Number of arguments of each command. */
const NUMBERS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0 };

/**
 * The lines of an SVG path (SVG 1.1, chapter 8, but for T), curves as chains of edges. For built-in images, whose arc
 * flags are separated.
 * @throws Error for an unsupported command
 */
export function readSvgPath(data: string): Subpath[] {
  const pen = new Pen();
  let command = "";
  let numbers: number[] = [];
  for (const [, letter, number] of data.matchAll(COMMANDS)) {
    if (letter === undefined) numbers.push(Number(number));
    else {
      command = letter;
      numbers = [];
    }
    const needed = NUMBERS[command.toUpperCase()];
    if (needed === undefined) throw new Error(`An SVG path with ${command}.`);
    if (numbers.length < needed) continue;
    pen.draw(command, numbers);
    numbers = [];
    // Further pairs after a move are lines.
    if (command === "M") command = "L";
    if (command === "m") command = "l";
  }
  return pen.subpaths;
}

class Pen {
  readonly subpaths: Subpath[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** The last control point of a cubic curve, for S. */
  #controlX = 0;
  #controlY = 0;
  #isOpen = false;

  draw(command: string, values: readonly number[]): void {
    const kind = command.toUpperCase();
    const [x, y] = command === kind ? [0, 0] : [this.#x, this.#y];
    const [a, b, c, d, e, f, g] = values;
    if (kind === "M") {
      [this.#x, this.#y, this.#startX, this.#startY] = [x + a, y + b, x + a, y + b];
      this.#isOpen = false;
    } else if (kind === "L") this.#lineTo(x + a, y + b);
    else if (kind === "H") this.#lineTo(x + a, this.#y);
    else if (kind === "V") this.#lineTo(this.#x, y + a);
    else if (kind === "C") this.#curveTo(x + a, y + b, x + c, y + d, x + e, y + f);
    else if (kind === "S")
      this.#curveTo(2 * this.#x - this.#controlX, 2 * this.#y - this.#controlY, x + a, y + b, x + c, y + d);
    else if (kind === "Q") {
      const [fromX, fromY] = [this.#x, this.#y];
      const between = (from: number, to: number) => from + (2 / 3) * (to - from);
      const [endX, endY] = [x + c, y + d];
      this.#curveTo(
        ...[between(fromX, x + a), between(fromY, y + b)],
        ...[between(endX, x + a), between(endY, y + b), endX, endY],
      );
    } else if (kind === "A") this.#arcTo(a, d !== 0, e !== 0, x + f, y + g);
    else {
      const last = this.subpaths.at(-1);
      if (last && this.#isOpen) last.closed = true;
      [this.#x, this.#y] = [this.#startX, this.#startY];
      this.#isOpen = false;
    }
    if (kind !== "C" && kind !== "S") [this.#controlX, this.#controlY] = [this.#x, this.#y];
  }

  #lineTo(x: number, y: number): void {
    if (!this.#isOpen) this.subpaths.push({ points: [this.#x, this.#y], closed: false });
    this.#isOpen = true;
    (this.subpaths.at(-1) as Subpath).points.push(x, y);
    [this.#x, this.#y] = [x, y];
  }

  #curveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    const [x0, y0] = [this.#x, this.#y];
    for (let i = 1; i <= CURVE_EDGES; i++) {
      const t = i / CURVE_EDGES;
      const u = 1 - t;
      const at = (p0: number, p1: number, p2: number, p3: number) =>
        u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3;
      this.#lineTo(at(x0, x1, x2, x), at(y0, y1, y2, y));
    }
    [this.#controlX, this.#controlY] = [x2, y2];
  }

  /** An arc of a circle (SVG 1.1, appendix F.6); ellipses are not needed. */
  #arcTo(radius: number, large: boolean, sweep: boolean, x: number, y: number): void {
    const [fromX, fromY] = [this.#x, this.#y];
    const half = Math.hypot(x - fromX, y - fromY) / 2;
    if (half === 0) return;
    const reach = Math.max(radius, half);
    const away = Math.sqrt(reach * reach - half * half) * (large === sweep ? -1 : 1);
    // The center is next to the middle of the chord.
    const centreX = (fromX + x) / 2 - (away * (y - fromY)) / (2 * half);
    const centreY = (fromY + y) / 2 + (away * (x - fromX)) / (2 * half);
    const start = Math.atan2(fromY - centreY, fromX - centreX);
    let turn = Math.atan2(y - centreY, x - centreX) - start;
    if (sweep && turn < 0) turn += 2 * Math.PI;
    if (!sweep && turn > 0) turn -= 2 * Math.PI;
    const steps = Math.max(1, Math.ceil(Math.abs(turn) / ARC_STEP));
    for (let i = 1; i < steps; i++) {
      const angle = start + (turn * i) / steps;
      this.#lineTo(centreX + reach * Math.cos(angle), centreY + reach * Math.sin(angle));
    }
    this.#lineTo(x, y);
  }
}
