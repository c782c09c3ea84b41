import type { Progress } from "../../../common/progress.ts";
import type { Bounds, LayerOutput, OperatorFiles } from "../../../frame/layer.ts";
import type { OverturePlan } from "../../../sources/overture/fetch-overture.ts";
import { chunksOfPart, readPart } from "../../../sources/overture/part-file.ts";
import { placesIn } from "../../../sources/overture/place-rows.ts";
import { dataSourceOf, partsOf, readPlan, sourceName } from "../../../sources/overture/plan.ts";
import { importanceOfPlace } from "../jobs/names-of.ts";
import { decodePlaced, withSources } from "../records/place-records.ts";
import type { RecordSink } from "./record-sink.ts";

/** How far from an address a request may still find it [degrees]. */
const MARGIN = 0.002;

interface OpenPlan {
  path: string;
  plan: OverturePlan;
}

/** Addresses, and names of places and divisions, of a release of Overture. */
export class OvertureRecords {
  readonly #addresses: OpenPlan | undefined;
  readonly #places: OpenPlan | undefined;
  readonly #divisions: OpenPlan | undefined;

  private constructor(addresses?: OpenPlan, places?: OpenPlan, divisions?: OpenPlan) {
    this.#addresses = addresses;
    this.#places = places;
    this.#divisions = divisions;
  }

  static async open({ overtureAddresses, overturePlaces, overtureDivisions }: OperatorFiles): Promise<OvertureRecords> {
    const open = async (path: string | undefined) => path && { path, plan: await readPlan(path) };
    const [addresses, places, divisions] = [
      await open(overtureAddresses),
      await open(overturePlaces),
      await open(overtureDivisions),
    ];
    return new OvertureRecords(addresses || undefined, places || undefined, divisions || undefined);
  }

  /** Around everything in them. */
  get bounds(): Bounds[] {
    return [this.#addresses, this.#places, this.#divisions].flatMap((open) => open?.plan.bounds.map(around) ?? []);
  }

  get addressSources(): string[] {
    return this.#addresses?.plan.datasets.map(sourceName) ?? [];
  }

  /** @param numberOf number of a source of addresses in the import, by its name */
  async collect(
    numberOf: (source: string) => number,
    sink: RecordSink,
    out: LayerOutput,
    progress: Progress,
  ): Promise<void> {
    if (this.#addresses) await collectAddresses(this.#addresses, numberOf, sink, progress);
    if (this.#places) await collectPlaces(this.#places, sink, progress);
    for (const open of [this.#addresses, this.#places, this.#divisions]) {
      for (const dataset of open?.plan.datasets ?? []) out.source(dataSourceOf(dataset, open!.plan));
    }
    for (const [reason, count] of Object.entries(this.#addresses?.plan.skipped ?? {}))
      out.count(`left out: ${reason}`, count);
  }
}

async function collectAddresses(
  { path, plan }: OpenPlan,
  numberOf: (source: string) => number,
  sink: RecordSink,
  progress: Progress,
): Promise<void> {
  for (const file of partsOf(path, plan)) {
    const part = await readPart(file);
    const numbers = part?.header.datasets.map((dataset) => numberOf(sourceName(dataset))) ?? [];
    for await (const chunk of chunksOfPart(file)) await sink.placed(withSources(decodePlaced(chunk), numbers));
    progress.advance(part?.header.rows ?? 0);
  }
}

async function collectPlaces({ path, plan }: OpenPlan, sink: RecordSink, progress: Progress): Promise<void> {
  for (const file of partsOf(path, plan)) {
    for await (const chunk of chunksOfPart(file)) {
      for (const { place, names, confidence } of placesIn(chunk)) {
        const { name, location, address, details } = place;
        const tags = {
          ...(address?.city && { "addr:city": address.city }),
          ...(address?.stateCode && { "addr:state": address.stateCode }),
          ...(address?.postalCode && { "addr:postcode": address.postalCode }),
        };
        const brand = details?.brandWikidata;
        const importance = importanceOfPlace(brand === undefined ? {} : { "brand:wikidata": brand });
        sink.add({ kind: "place", at: location, tags, name, importance, names, confidence });
        progress.advance();
      }
      await sink.settle();
    }
  }
}

const around = ([west, south, east, north]: Bounds): Bounds => [
  Math.max(-180, west - MARGIN),
  Math.max(-90, south - MARGIN),
  Math.min(180, east + MARGIN),
  Math.min(90, north + MARGIN),
];
