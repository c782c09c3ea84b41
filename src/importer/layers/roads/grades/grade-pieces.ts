import { ridingDelay, walkingTime } from "../../../../core/elevation/effort.ts";
import type { Interned } from "../../../../core/geo/bytes/interned.ts";
import {
  BIKE,
  type EdgeProfile,
  FOOT,
  type HourlyPassage,
  mapPassage,
  TRAVEL,
} from "../../../../core/routing/graph/modes.ts";
import { LIE, levelStructures } from "./level-structures.ts";
import { orderOfBlock, type SmoothGround } from "./smooth-ground.ts";

/** Distance of the heights along a piece, at most [m]. */
const SPACING_METERS = 50;
/** Lower grades are within the error of the sources: a standard deviation of half a percent at a noise of 1.5 m. */
const MIN_GRADE = 0.01;
/** Times are rounded to steps of 3 %, so that roads share profiles; flat ones stay as they are. */
const STEP = Math.log(1.03);
/** Half the range of steps: e^(0.03 × 128) is 44. */
const MAX_STEPS = 127;
/** A junction or piece and the place of its block in one number: places are below 2^23. */
const INDEX_RANGE = 2 ** 30;

/** The columns of pieces and junctions that are read; `forward` and `backward` are changed. */
interface GradedPieces {
  count: number;
  nodeCount: number;
  nodeLatitude: Int32Array;
  nodeLongitude: Int32Array;
  start: Int32Array;
  end: Int32Array;
  length: Int32Array;
  shapeFirst: Int32Array;
  shapeLatitude: Int32Array;
  shapeLongitude: Int32Array;
  /** LIE */
  lie: Uint8Array;
  forward: Uint32Array;
  backward: Uint32Array;
}

/**
 * Gives each piece of road the speeds of walkers and bikes on its slopes, in both directions. Everything that is computed from speeds
 * (routes, matrices, isochrones) then follows the hills. Returns the number of pieces that are not flat.
 */
export async function gradePieces(
  pieces: GradedPieces,
  profiles: Interned<EdgeProfile>,
  ground: SmoothGround,
): Promise<number> {
  const heights = await heightsOf(pieces, ground);
  levelStructures(pieces, heights);
  const grader = new Grader(profiles);
  const { start, nodeLatitude, nodeLongitude, forward, backward, lie } = pieces;
  let graded = 0;
  const order = byBlock(pieces.count, (piece) => orderOfBlock(nodeLatitude[start[piece]], nodeLongitude[start[piece]]));
  for (const place of order) {
    const piece = place % INDEX_RANGE;
    if (lie[piece] === LIE.lift) continue;
    if (!grader.matters(forward[piece]) && !grader.matters(backward[piece])) continue;
    let effort = effortOf(pieces, piece, heights, ground);
    // Each try loads a block; a piece crosses few.
    for (let tries = 0; typeof effort === "object" && "y" in effort && tries < MAX_CROSSED; tries++) {
      await ground.load(effort.y, effort.x);
      effort = effortOf(pieces, piece, heights, ground);
    }
    if (!effort || "y" in effort) continue;
    const [there, back] = [grader.graded(forward[piece], effort.along), grader.graded(backward[piece], effort.against)];
    if (there !== forward[piece] || back !== backward[piece]) graded++;
    forward[piece] = there;
    backward[piece] = back;
  }
  return graded;
}

/** Blocks of 7 to 11 km that one piece of road may cross. */
const MAX_CROSSED = 200;

/** Of the junctions [m]; NaN where the ground is unknown. */
async function heightsOf(
  { nodeCount, nodeLatitude, nodeLongitude }: GradedPieces,
  ground: SmoothGround,
): Promise<Float32Array> {
  const heights = new Float32Array(nodeCount);
  for (const place of byBlock(nodeCount, (node) => orderOfBlock(nodeLatitude[node], nodeLongitude[node]))) {
    const node = place % INDEX_RANGE;
    let height = ground.at(nodeLatitude[node], nodeLongitude[node]);
    if (height === undefined) {
      await ground.load(nodeLatitude[node], nodeLongitude[node]);
      height = ground.at(nodeLatitude[node], nodeLongitude[node]);
    }
    heights[node] = height ?? Number.NaN;
  }
  return heights;
}

/** Numbers from 0 on, in the order of their blocks. */
function byBlock(count: number, orderOf: (number: number) => number): Float64Array {
  const order = new Float64Array(count);
  for (let i = 0; i < count; i++) order[i] = orderOf(i) * INDEX_RANGE + i;
  return order.sort();
}

/** What a direction of a piece costs. */
interface Effort {
  /** Time on foot, as a multiple of that on the flat. */
  walking: number;
  /** By bike: to be added for each meter [s]. */
  riding: number;
}

/** Undefined where the ground is unknown; a position of a block that must be loaded. */
function effortOf(
  pieces: GradedPieces,
  piece: number,
  heights: Float32Array,
  ground: SmoothGround,
): { along: Effort; against: Effort } | { y: number; x: number } | undefined {
  const { start, end, length, lie } = pieces;
  const meters = length[piece] / 10;
  const along: Effort = { walking: 0, riding: 0 };
  const against: Effort = { walking: 0, riding: 0 };
  let before = heights[start[piece]];
  const last = heights[end[piece]];
  if (Number.isNaN(before) || Number.isNaN(last) || meters === 0) return undefined;
  const parts = lie[piece] === LIE.structure ? 1 : Math.max(1, Math.ceil(meters / SPACING_METERS));
  const walker = new LineWalker(pieces, piece);
  for (let i = 1; i <= parts; i++) {
    let height = last;
    if (i < parts) {
      const { y, x } = walker.at(i / parts);
      const found = ground.at(y, x);
      if (found === undefined) return { y, x };
      // On water and in gaps of the source.
      height = Number.isNaN(found) ? before + (last - before) / (parts - i + 1) : found;
    }
    const slope = (height - before) / (meters / parts);
    const grade = Math.abs(slope) < MIN_GRADE ? 0 : slope;
    along.walking += walkingTime(grade) / parts;
    against.walking += walkingTime(-grade) / parts;
    along.riding += ridingDelay(grade) / parts;
    against.riding += ridingDelay(-grade) / parts;
    before = height;
  }
  return { along, against };
}

/** Points at growing shares of the line of a piece. */
class LineWalker {
  readonly #ys: number[];
  readonly #xs: number[];
  readonly #ends: number[] = [0];
  #segment = 1;

  constructor(pieces: GradedPieces, piece: number) {
    const { start, end, nodeLatitude, nodeLongitude, shapeFirst, shapeLatitude, shapeLongitude } = pieces;
    const [first, last] = [shapeFirst[piece], shapeFirst[piece + 1]];
    this.#ys = [nodeLatitude[start[piece]], ...shapeLatitude.subarray(first, last), nodeLatitude[end[piece]]];
    this.#xs = [nodeLongitude[start[piece]], ...shapeLongitude.subarray(first, last), nodeLongitude[end[piece]]];
    const narrow = Math.cos((this.#ys[0] / 1e6) * (Math.PI / 180));
    for (let i = 1; i < this.#ys.length; i++) {
      const step = Math.hypot(this.#ys[i] - this.#ys[i - 1], (this.#xs[i] - this.#xs[i - 1]) * narrow);
      this.#ends.push(this.#ends[i - 1] + step);
    }
  }

  at(share: number): { y: number; x: number } {
    const ends = this.#ends;
    const target = share * ends[ends.length - 1];
    while (this.#segment < ends.length - 1 && ends[this.#segment] < target) this.#segment++;
    const i = this.#segment;
    const part = ends[i] > ends[i - 1] ? (target - ends[i - 1]) / (ends[i] - ends[i - 1]) : 0;
    return {
      y: this.#ys[i - 1] + (this.#ys[i] - this.#ys[i - 1]) * part,
      x: this.#xs[i - 1] + (this.#xs[i] - this.#xs[i - 1]) * part,
    };
  }
}

/** Profiles with the speeds of slopes. */
class Grader {
  readonly #profiles: Interned<EdgeProfile>;
  readonly #matters: boolean[] = [];
  /** Profile, steps on foot and by bike → profile. */
  readonly #graded = new Map<number, number>();

  constructor(profiles: Interned<EdgeProfile>) {
    this.#profiles = profiles;
  }

  /** Returns whether slopes can change a profile. */
  matters(number: number): boolean {
    this.#matters[number] ??= [FOOT, BIKE].some((mode) => hasSlope(this.#profiles.values[number].passages[mode]));
    return this.#matters[number];
  }

  graded(number: number, { walking, riding }: Effort): number {
    if (!this.matters(number)) return number;
    const profile = this.#profiles.values[number];
    const bike = profile.passages[BIKE];
    // Of a pushed bike: as of a walker.
    const ridden = bike.travel === TRAVEL.pushing || bike.speed === 0 ? walking : 1 + riding * (bike.speed / 36);
    const steps = [walking, ridden].map((factor) =>
      Math.max(-MAX_STEPS, Math.min(MAX_STEPS, Math.round(Math.log(factor) / STEP))),
    );
    if (steps.every((step) => step === 0)) return number;
    const key = (number * 256 + steps[0] + 128) * 256 + steps[1] + 128;
    let graded = this.#graded.get(key);
    if (graded === undefined) {
      const passages = [...profile.passages];
      for (const [i, mode] of [FOOT, BIKE].entries()) {
        const factor = Math.exp(steps[i] * STEP);
        passages[mode] = mapPassage(passages[mode], (own) => (hasSlope(own) ? slowed(own, factor) : own));
      }
      graded = this.#profiles.add({ ...profile, passages });
      this.#graded.set(key, graded);
    }
    return graded;
  }
}

const hasSlope = ({ speed, travel }: HourlyPassage): boolean =>
  speed > 0 && (travel === TRAVEL.normal || travel === TRAVEL.pushing);

const slowed = (passage: HourlyPassage, factor: number): HourlyPassage => ({
  ...passage,
  speed: Math.max(1, Math.min(65535, Math.round(passage.speed / factor))),
});
