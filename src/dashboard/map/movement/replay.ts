import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { haversine } from "../../../core/geo/distance.ts";

/** An update of a user's walked way, as `GET /v1/users/:id/updates` writes it. */
export interface WayUpdate {
  at: string;
  location: { coordinates: number[] };
  accuracy: number;
  speed?: number;
  stopped?: boolean;
  foreground?: boolean;
  events?: readonly string[];
}

/** Where a device was at some time. */
interface WayMoment extends Coordinate {
  /** The last update at or before the time. */
  index: number;
  accuracy: number;
  /** Share of the track that is completed, 0 to 1. */
  progress: number;
}

/** Between updates further apart than this nothing is known: the device stays where it was seen last [ms]. */
export const GAP_MS = 15 * 60 * 1000;

/**
 * A user's day as flat arrays, made once; asking where the device was at a time is a binary search and a mix of two
 * neighbors, so that a slider over 5,000 updates may ask at every frame.
 */
export class Way {
  readonly length: number;
  readonly times: Float64Array;
  readonly #longitudes: Float64Array;
  readonly #latitudes: Float64Array;
  readonly #accuracies: Float32Array;
  /** Metres walked up to each update. */
  readonly #metres: Float64Array;

  /** @param updates oldest first */
  constructor(updates: readonly WayUpdate[]) {
    const length = updates.length;
    this.length = length;
    this.times = new Float64Array(length);
    this.#longitudes = new Float64Array(length);
    this.#latitudes = new Float64Array(length);
    this.#accuracies = new Float32Array(length);
    this.#metres = new Float64Array(length);
    for (let i = 0; i < length; i++) {
      const { at, location, accuracy } = updates[i];
      const [longitude, latitude] = location.coordinates;
      this.times[i] = Date.parse(at);
      this.#accuracies[i] = accuracy;
      this.#latitudes[i] = latitude;
      // Written on across the 180th meridian, so that neighbors mix the short way.
      const before = i > 0 ? this.#longitudes[i - 1] : longitude;
      this.#longitudes[i] = longitude - 360 * Math.round((longitude - before) / 360);
      if (i > 0) this.#metres[i] = this.#metres[i - 1] + haversine(this.#latitudes[i - 1], before, latitude, longitude);
    }
  }

  get start(): number {
    return this.length > 0 ? this.times[0] : 0;
  }

  get end(): number {
    return this.length > 0 ? this.times[this.length - 1] : 0;
  }

  /** How long the way is [m]. */
  get metres(): number {
    return this.length > 0 ? this.#metres[this.length - 1] : 0;
  }

  /** The update that was the last at `time` [ms]; before the first it is the first. */
  indexAt(time: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Where the device was; undefined of an empty way. */
  at(time: number): WayMoment | undefined {
    if (this.length === 0) return undefined;
    const index = this.indexAt(time);
    const next = Math.min(index + 1, this.length - 1);
    const span = this.times[next] - this.times[index];
    const share = span > 0 && span <= GAP_MS ? Math.max(0, Math.min(1, (time - this.times[index]) / span)) : 0;
    const mix = (values: Float64Array | Float32Array) => values[index] + (values[next] - values[index]) * share;
    return {
      index,
      latitude: mix(this.#latitudes),
      longitude: mix(this.#longitudes),
      accuracy: mix(this.#accuracies),
      progress: this.metres > 0 ? mix(this.#metres) / this.metres : 1,
    };
  }

  /** The whole way as one line. MapLibre needs two positions for one. */
  line(): number[][] {
    const line = Array.from(this.#longitudes, (longitude, i) => [longitude, this.#latitudes[i]]);
    return line.length === 1 ? [line[0], line[0]] : line;
  }
}

/**
 * The events that a replay labels at a time: of each kind the latest one so far. A label for every event would cover the map.
 * @param events with the name of their kind and their time [ms], in any order
 */
export function latestOfKinds<E extends { properties: Record<string, string | number | boolean> }>(
  events: readonly E[],
  time: number,
): E[] {
  const latest = new Map<string, E>();
  for (const event of events) {
    const { name, at } = event.properties;
    const known = latest.get(String(name));
    if (Number(at) <= time && !(known && Number(known.properties.at) > Number(at))) latest.set(String(name), event);
  }
  return [...latest.values()];
}
