import { Area } from "../../../../core/routing/areas/area.ts";
import type { Tags } from "../../../osm/pbf/element.ts";

/** A ring of [longitude, latitude]. */
type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** The tag of low-emission zones, on ways that are closed and on relations. */
export const isEmissionZone = (tags: Tags): boolean => tags.boundary === "low_emission_zone";

/** The low-emission zones of an extract. Zones of the same name are one zone. */
export class EmissionZones {
  readonly #areas: { name: string; area: Area }[] = [];
  #names: readonly string[] | undefined;

  /** Outlines and holes together: a place is inside if an odd number of rings goes around it. */
  add(tags: Tags, rings: readonly Ring[]): void {
    if (rings.every((ring) => ring.length < MIN_CORNERS)) return;
    this.#areas.push({ name: tags.name ?? "", area: new Area(rings.filter((ring) => ring.length >= MIN_CORNERS)) });
    this.#names = undefined;
  }

  /** The names, ascending: zone n has names[n − 1]. A zone without a name has an empty one. */
  get names(): readonly string[] {
    this.#names ??= [...new Set(this.#areas.map(({ name }) => name))].sort();
    return this.#names;
  }

  /** Numbers of the zones at a position [1e-6 degrees], ascending. */
  at(latitude: number, longitude: number): number[] {
    const found = new Set<string>();
    for (const { name, area } of this.#areas) if (area.contains(latitude, longitude)) found.add(name);
    return [...found].map((name) => this.names.indexOf(name) + 1).sort((a, b) => a - b);
  }

  get isEmpty(): boolean {
    return this.#areas.length === 0;
  }
}

const MIN_CORNERS = 4;
