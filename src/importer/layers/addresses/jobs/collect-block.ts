import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { splitHouseNumbers } from "../../../../core/geocoding/words/house-number.ts";
import { categoriesOf } from "../../../../core/places/categories.ts";
import { chainOf } from "../../../../core/places/chains.ts";
import { lastIndexOf } from "../../../common/sorted-numbers.ts";
import type { Line } from "../../../frame/layer.ts";
import { decodeBlock } from "../../../osm/pbf/decode-block.ts";
import { NO_PLACE, type OsmElement, type OsmWay, type Tags } from "../../../osm/pbf/element.ts";
import type { Selection } from "../../../osm/pbf/selection.ts";
import { footprintOf } from "../../places/footprint.ts";
import { hasNumber, placeOf } from "../records/address-levels.ts";
import { type PlacedRecords, Placer } from "../records/place-records.ts";
import type { Found } from "../records/raw-record.ts";
import { importanceOf, peopleOf } from "../records/settlements.ts";
import { between } from "./interpolation.ts";
import { type NumberedNodes, NumberedNodesBuilder, tagsOfNode } from "./interpolation-ends.ts";
import { MemberStreets, type SharedStreets } from "./member-streets.ts";
import { airportNames, importanceOfPlace, namesOf } from "./names-of.ts";

/** Links between elements, in shared memory. */
export interface SharedLinks {
  /** Tells the links of one scan from those of the next. */
  id: number;
  streets: SharedStreets;
  /** Nodes that interpolation lines run through, by ascending id. */
  interpolated: Float64Array;
  /** Those of them with a number; empty while nodes are gone through. */
  numbered: NumberedNodes;
}

/** A block of nodes or ways as it is in the store. */
export interface BlockJob {
  bytes: Uint8Array<ArrayBuffer>;
  reads: Selection;
  links: SharedLinks;
}

/** Content of a block: records and other data. */
export interface CollectedBlock extends PlacedRecords {
  /** Elements that were used. */
  elements: number;
  /** Counts for the report. */
  counts: Record<string, number>;
  settlements: { tags: Tags; at: Coordinate }[];
  numbered: NumberedNodes;
  /** Selects the links that it reads. */
  span: BlockSpan;
}

export interface BlockSpan {
  /** Ids of its elements; the first is after the last where there are none. */
  first: number;
  last: number;
  /** Some of its ways are lines between houses. */
  interpolates: boolean;
}

export function collectBlock({ bytes, reads, links }: BlockJob): CollectedBlock {
  const collector = new ElementCollector(links);
  decodeBlock(bytes, { node: (node) => collector.node(node), way: (way) => collector.way(way) }, reads);
  return collector.finish();
}

let opened: { id: number; streets: MemberStreets } | undefined;

/** Decoded data is cached while a thread works for one scan. */
function streetsOf({ id, streets }: SharedLinks): MemberStreets {
  if (opened?.id !== id) opened = { id, streets: new MemberStreets(streets) };
  return opened.streets;
}

/** Forgets the links of the last scan. */
export function forgetStreets(): void {
  opened = undefined;
}

/** Roads of OpenStreetMap that are not streets but may have the name of one. */
const PATHS = new Set("footway path steps cycleway bridleway corridor platform elevator".split(" "));

/** Houses, streets and places of elements; their towns are found later. */
export class ElementCollector {
  readonly #links: SharedLinks;
  readonly #streets: MemberStreets;
  readonly #placer = new Placer(64 * 1024);
  readonly #numbered = new NumberedNodesBuilder();
  readonly #settlements: CollectedBlock["settlements"] = [];
  readonly #counts: Record<string, number> = {};
  readonly #span: BlockSpan = { first: Number.POSITIVE_INFINITY, last: -1, interpolates: false };
  #elements = 0;

  constructor(links: SharedLinks) {
    this.#links = links;
    this.#streets = streetsOf(links);
  }

  node(node: OsmElement & { type: "node" }): void {
    const { latitude, longitude, tags } = node;
    this.#meet(node.id);
    const at = { latitude, longitude };
    const people = tags.name ? peopleOf(tags) : undefined;
    if (people !== undefined) {
      const english = tags["name:en"];
      this.#settlements.push({
        tags: { place: tags.place, name: tags.name, ...(english && { "name:en": english }) },
        at,
      });
      const importance = importanceOf(people);
      this.#add({ kind: "locality", at, name: tags.name, importance, names: namesOf(tags) });
    }
    if (tags["addr:housenumber"] !== undefined && this.#isInterpolated(node.id)) this.#numbered.add(node.id, tags);
    this.take(node, () => at);
  }

  way(way: OsmWay): void {
    this.#meet(way.id);
    let known: Line | undefined;
    const line = () => {
      known ??= this.#lineOf(way);
      return known;
    };
    this.take(way, () => footprintOf(line())?.center);
    const { highway, name } = way.tags;
    if (highway && name) {
      const points = line().map(([longitude, latitude]) => ({ latitude, longitude }));
      const at = points[points.length >> 1];
      if (points.length >= 2)
        this.#add({ kind: "line", at, name, names: namesOf(way.tags), line: points, isPath: PATHS.has(highway) });
      this.#count("pieces of streets");
    }
    if (!way.tags["addr:interpolation"]) return;
    this.#span.interpolates = true;
    this.#interpolation(way);
  }

  #meet(id: number): void {
    this.#span.first = Math.min(this.#span.first, id);
    this.#span.last = Math.max(this.#span.last, id);
  }

  take(element: OsmElement, where: () => Coordinate | undefined): void {
    const { tags, type, id } = element;
    const numbered = hasNumber(tags);
    const street = numbered ? (tags["addr:street"] ?? this.#streets.of(type, id) ?? placeOf(tags)) : undefined;
    const isPlace = categoriesOf(tags).length > 0;
    if (!numbered && !isPlace) return;
    const at = where();
    if (!at) {
      this.#count("left out: no geometry");
      return;
    }
    this.#elements++;
    if (numbered && street) this.#house(tags, at, street);
    else if (tags["addr:housenumber"] !== undefined && !(type === "node" && this.#isInterpolated(id)))
      this.#count("left out: house without a street");
    if (isPlace) this.#place(tags, at);
  }

  /** Records so far. */
  get count(): number {
    return this.#placer.count;
  }

  finish(): CollectedBlock {
    return {
      ...this.#placer.finish(),
      elements: this.#elements,
      counts: this.#counts,
      settlements: this.#settlements,
      numbered: this.#numbered.finish(),
      span: this.#span,
    };
  }

  #house(tags: Tags, at: Coordinate, street: string): void {
    const { "addr:housenumber": number } = tags;
    if (number !== undefined && splitHouseNumbers(number).length === 0)
      this.#count("left out: no house number to read");
    else this.#add({ kind: "house", at, tags, street });
  }

  #place(tags: Tags, at: Coordinate): void {
    const name = tags.name ?? tags["name:en"] ?? chainOf(tags)?.name;
    if (!name || tags.disused === "yes" || tags.abandoned === "yes") return;
    const importance = importanceOfPlace(tags);
    this.#add({ kind: "place", at, tags, name, importance, names: airportNames(tags, name) });
  }

  #interpolation(way: OsmWay): void {
    let last: { number: number; tags: Tags } | undefined;
    let line: Coordinate[] = [];
    for (const [i, ref] of way.refs.entries()) {
      const [east, north] = [way.line?.[2 * i] ?? NO_PLACE, way.line?.[2 * i + 1] ?? NO_PLACE];
      if (north === NO_PLACE) continue;
      const at = { latitude: north / 1e7, longitude: east / 1e7 };
      line.push(at);
      const own = tagsOfNode(this.#links.numbered, ref) ?? {};
      const written = own["addr:housenumber"] ?? "";
      if (!/^\d{1,6}$/.test(written)) continue;
      const tags = { ...way.tags, ...own };
      const number = Number(written);
      const street = tags["addr:street"];
      // An end of the line whose node does not name the street, but the line does, is a house as well.
      if (street && own["addr:street"] === undefined)
        this.#add({ kind: "between", at, tags, street, number: `${number}`, computed: false });
      if (street && last) {
        const others = between(way.tags["addr:interpolation"], last.number, number, line);
        if (!others) this.#count("left out: interpolation that does not fit its numbers");
        for (const one of others ?? [])
          this.#add({ kind: "between", at: one.at, tags, street, number: `${one.number}`, computed: true });
      }
      last = { number, tags };
      line = [at];
    }
  }

  #lineOf({ line: places = new Int32Array(0) }: OsmWay): Line {
    const line: Line = [];
    for (let i = 0; i < places.length; i += 2) {
      if (places[i] === NO_PLACE) this.#count("nodes missing from lines");
      else line.push([places[i] / 1e7, places[i + 1] / 1e7]);
    }
    return line;
  }

  #isInterpolated(node: number): boolean {
    return lastIndexOf(this.#links.interpolated, node) >= 0;
  }

  #add(found: Found): void {
    this.#placer.add(found);
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
}
