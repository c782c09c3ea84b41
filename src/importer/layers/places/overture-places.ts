import type { Chain } from "../../../core/places/chains.ts";
import type { PlacePacker } from "../../../core/places/pack.ts";
import type { PlaceRecord } from "../../../core/places/tile.ts";
import type { Progress } from "../../common/progress.ts";
import type { Bounds, LayerOutput, LayerResources } from "../../frame/layer.ts";
import { sortersIn } from "../../frame/spill.ts";
import type { OverturePlan } from "../../sources/overture/fetch-overture.ts";
import { chunksOfPart } from "../../sources/overture/part-file.ts";
import { placesIn } from "../../sources/overture/place-rows.ts";
import { dataSourceOf, partsOf, readPlan } from "../../sources/overture/plan.ts";
import { PlaceMerger } from "./merge-places.ts";

/** How far from a place a request may find it: 10 km, and twice that in high latitudes [degrees of latitude]. */
const MARGIN = 0.1;

/** The area in which the places of a box can be near. */
export const areaAround = ([west, south, east, north]: Bounds): Bounds => [
  Math.max(-180, west - 2 * MARGIN),
  Math.max(-90, south - MARGIN),
  Math.min(180, east + 2 * MARGIN),
  Math.min(90, north + MARGIN),
];

/** Places of a release of Overture that no other source of the import has. */
export class OverturePlaces {
  readonly #path: string;
  readonly #plan: OverturePlan;
  readonly #merger: PlaceMerger;
  /** Chains of the import's own places, by Wikidata's number of the brand. */
  readonly #chains = new Map<string, Chain>();

  private constructor(path: string, plan: OverturePlan, merger: PlaceMerger) {
    this.#path = path;
    this.#plan = plan;
    this.#merger = merger;
  }

  static async open(path: string, resources: LayerResources): Promise<OverturePlaces> {
    return new OverturePlaces(path, await readPlan(path), new PlaceMerger(sortersIn(resources, 0.3)));
  }

  /** A place of the import that Overture's do not overrule. */
  meet(place: PlaceRecord, names: readonly string[]): void {
    const { chain, details } = place;
    if (chain && details?.brandWikidata && !this.#chains.has(details.brandWikidata))
      this.#chains.set(details.brandWikidata, { slug: chain.slug, name: chain.name });
    this.#merger.add({ place, names, confidence: undefined });
  }

  /** Adds the places that remain; after all others were met. */
  async add(packer: PlacePacker, out: LayerOutput, progress: Progress): Promise<void> {
    for (const file of partsOf(this.#path, this.#plan)) {
      for await (const chunk of chunksOfPart(file)) {
        for (const { place, names, confidence } of placesIn(chunk)) {
          const others = names.map(([, name]) => name);
          if (place.details?.brand) others.push(place.details.brand);
          this.#merger.add({ place: this.#inChain(place), names: others, confidence });
        }
      }
    }
    let omitted = 0;
    for (const place of this.#merger.finish(() => omitted++)) {
      packer.add(place);
      out.count("places of Overture");
      progress.advance();
    }
    if (omitted > 0) out.count("left out: place of Overture that another source has", omitted);
    for (const [reason, count] of Object.entries(this.#plan.skipped)) out.count(`left out: ${reason}`, count);
    for (const dataset of this.#plan.datasets) out.source(dataSourceOf(dataset, this.#plan));
    for (const box of this.#plan.bounds) out.area(areaAround(box));
  }

  /** The same chain has one slug, whatever each source calls it. */
  #inChain(place: PlaceRecord): PlaceRecord {
    const chain = this.#chains.get(place.details?.brandWikidata ?? "");
    return chain ? { ...place, chain } : place;
  }
}
