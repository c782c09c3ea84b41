import type { Path } from "../search/path.ts";
import { type EdgeKey, edgeKey } from "./edge-key.ts";
import type { UserName } from "./keys.ts";

/** How a device passed an edge. */
export interface Passage {
  key: EdgeKey;
  /** When its middle was passed [s since 1970]. */
  time: number;
  /** Time on the edge and standing at its end, by meter of it [s/m]; and what the profile expects. */
  pace: number;
  free: number;
  meters: number;
}

/** What a device saw of an edge last: its hash, the pace [s/m], the time [s since 1970], and 1 if it stood. */
type Sample = [device: string, pace: number, time: number, stood: 0 | 1];

/** An edge is as fast as its last passages within this time [s]: … */
const TOGETHER_SECONDS = 15 * 60;
/** … of so many devices, or of one that stood. */
const MIN_DEVICES = 2;
/** From then on, it matters less and less; after this time it does not [s]. */
const LIFE_SECONDS = 60 * 60;
/** A device stands if it takes so many times as long as expected, and so much longer [s]. */
const STANDING_FACTOR = 3;
const STANDING_SECONDS = 60;
/** Devices that an edge remembers, the last ones. */
const MAX_SAMPLES = 8;
/** Edges of a project, the last ones: about 2 MB. */
const MAX_EDGES = 20_000;
/** The time of an edge changes by at most these factors: no road is closed, and none is much faster than the engine has it. */
const MIN_FACTOR = 0.7;
const MAX_FACTOR = 10;

const seenKey = ({ device, user }: UserName) => `${device} ${user}`;

/** The passages of a project's devices in the last hour, and how fast edges are now by them. */
export class LiveSpeeds {
  readonly #edges: Map<EdgeKey, Sample[]>;
  /** By hashes of device and user, the last update whose passages were added [ms since 1970]. */
  readonly #seen: Map<string, number>;

  constructor(edges: Map<EdgeKey, Sample[]> = new Map(), seen: Map<string, number> = new Map()) {
    this.#edges = edges;
    this.#seen = seen;
  }

  /** Whether a user has updates that were not added yet: those of one may arrive later than newer ones of another. */
  isNew(user: UserName, updatedAt: number): boolean {
    return this.#seen.get(seenKey(user)) !== updatedAt;
  }

  /** The passages of a user until then have been added. */
  note(user: UserName, updatedAt: number): void {
    this.#seen.set(seenKey(user), updatedAt);
  }

  get size(): number {
    return this.#edges.size;
  }

  /** Replaces what the device saw of the edge before. */
  add(device: string, { key, time, pace, free, meters }: Passage): void {
    const stood = pace >= STANDING_FACTOR * free && (pace - free) * meters >= STANDING_SECONDS;
    const others = (this.#edges.get(key) ?? []).filter(([one]) => one !== device);
    const own: Sample = [device, Number(pace.toPrecision(3)), Math.round(time), stood ? 1 : 0];
    const samples = [...others, own].sort((a, b) => b[2] - a[2]).slice(0, MAX_SAMPLES);
    this.#edges.set(key, samples);
  }

  /** Drops what some devices saw. */
  forgetDevices(devices: ReadonlySet<string>): void {
    this.#keep(([device]) => !devices.has(device));
  }

  #keep(isKept: (sample: Sample) => boolean): void {
    for (const [key, samples] of this.#edges) {
      const kept = samples.filter(isKept);
      if (kept.length > 0) this.#edges.set(key, kept);
      else this.#edges.delete(key);
    }
  }

  /** Drops what is older than an hour. `now` [s since 1970] */
  forget(now: number): void {
    for (const [key, time] of this.#seen) if (time < (now - LIFE_SECONDS) * 1000) this.#seen.delete(key);
    this.#keep(([, , time]) => now - time < LIFE_SECONDS);
    if (this.#edges.size <= MAX_EDGES) return;
    const oldest = [...this.#edges].sort(([, a], [, b]) => a[0][2] - b[0][2]);
    for (const [key] of oldest.slice(0, this.#edges.size - MAX_EDGES)) this.#edges.delete(key);
  }

  /** The pace of an edge [s/m], and how much it matters, 0 < weight ≤ 1; undefined if too few devices passed it. */
  paceOn(key: EdgeKey, now: number): { pace: number; weight: number } | undefined {
    const samples = this.#edges.get(key);
    if (!samples) return undefined;
    const [[, , last]] = samples;
    const age = now - last;
    if (age >= LIFE_SECONDS) return undefined;
    const together = samples.filter(([, , time]) => last - time <= TOGETHER_SECONDS);
    if (together.length < MIN_DEVICES && together[0][3] === 0) return undefined;
    const logs = together.reduce((sum, [, pace]) => sum + Math.log(pace), 0);
    const weight = Math.min(1, (LIFE_SECONDS - age) / (LIFE_SECONDS - TOGETHER_SECONDS));
    return { pace: Math.exp(logs / together.length), weight };
  }

  /** The factor of the time of a car's path that is driven at `now` [s since 1970]. */
  factorOf({ edges, duration }: Path, now: number): number {
    if (this.#edges.size === 0 || !(duration > 0)) return 1;
    let live = 0;
    for (const { view, edge, from, to, duration: own, distance } of edges) {
      const known = this.paceOn(edgeKey(view.tile, edge), now);
      const expected = (view.arcs.duration[edge] * (to - from)) / 10;
      const seconds = known ? expected + known.weight * (known.pace * distance - expected) : expected;
      live += own - expected + Math.min(expected * MAX_FACTOR, Math.max(expected * MIN_FACTOR, seconds));
    }
    return live / duration;
  }

  /** JSON: by user the last update, and by edge the samples. */
  write(): string {
    return JSON.stringify({
      version: 2,
      seen: Object.fromEntries(this.#seen),
      edges: Object.fromEntries(this.#edges),
    });
  }

  /** Empty for anything else than what `write` made. */
  static read(text: string): LiveSpeeds {
    try {
      const { version, seen, edges } = JSON.parse(text);
      if (version !== 2) return new LiveSpeeds();
      return new LiveSpeeds(new Map(Object.entries<Sample[]>(edges)), new Map(Object.entries<number>(seen)));
    } catch {
      return new LiveSpeeds();
    }
  }
}
