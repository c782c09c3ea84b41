import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import type { Tags } from "../osm/element.ts";

/** How far the names of settlements reach [m], how many people live there where nothing is said, and whether it is a part of one. */
const KINDS: Record<string, { reach: number; people: number; part?: true }> = {
  city: { reach: 15_000, people: 200_000 },
  town: { reach: 6_000, people: 15_000 },
  borough: { reach: 6_000, people: 50_000, part: true },
  village: { reach: 3_000, people: 1_500 },
  suburb: { reach: 2_500, people: 8_000, part: true },
  quarter: { reach: 1_500, people: 3_000, part: true },
  hamlet: { reach: 1_500, people: 100 },
  neighbourhood: { reach: 1_000, people: 1_000, part: true },
  isolated_dwelling: { reach: 300, people: 5 },
  locality: { reach: 300, people: 1 },
};

/** How well known a settlement is by its people, 0 … 255: a village 100, a city of a million 190, Tokyo 230. */
export function importanceOf(people: number): number {
  return Math.min(255, 32 * Math.log10(people + 1));
}

/** Tags of a `place` → its people; undefined for what is no settlement (islands, seas, squares). */
export function peopleOf(tags: Tags): number | undefined {
  const kind = KINDS[tags.place ?? ""];
  if (!kind) return undefined;
  const written = Number((tags.population ?? "").replace(/[\s,.]/g, ""));
  return written > 0 && written < 1e8 ? written : kind.people;
}

/** Degrees: a square and its neighbours reach farther than any settlement. */
const SQUARE = 0.25;

/** Settlements around a point, for houses that do not say in which city they stand. */
export class Settlements {
  readonly #squares = new Map<string, { name: string; at: Coordinate; reach: number }[]>();

  add(tags: Tags, at: Coordinate): void {
    const kind = KINDS[tags.place ?? ""];
    if (!kind || !tags.name || kind.reach < 1000) return;
    const key = squareOf(at.latitude, at.longitude);
    const list = this.#squares.get(key) ?? [];
    // A part of a town only speaks where no town does.
    list.push({ name: tags.name, at, reach: kind.part ? kind.reach / 10 : kind.reach });
    this.#squares.set(key, list);
  }

  /** The settlement that is nearest in terms of its reach; "" where none reaches. */
  at({ latitude, longitude }: Coordinate): string {
    let best = "";
    let least = 1;
    const wide = Math.max(1, Math.ceil(1 / Math.max(0.1, Math.cos((latitude * Math.PI) / 180))));
    for (let y = -1; y <= 1; y++) {
      for (let x = -wide; x <= wide; x++) {
        for (const { name, at, reach } of this.#squares.get(squareOf(latitude + y * SQUARE, longitude + x * SQUARE)) ??
          []) {
          const share = haversine(latitude, longitude, at.latitude, at.longitude) / reach;
          if (share < least || (share === least && name < best)) {
            least = share;
            best = name;
          }
        }
      }
    }
    return best;
  }
}

function squareOf(latitude: number, longitude: number): string {
  return `${Math.floor(latitude / SQUARE)} ${Math.floor((((longitude + 540) % 360) - 180) / SQUARE)}`;
}
