import type { Coordinate } from "../../geo/coordinate.ts";
import { ringCentroid } from "../../geo/polygon.ts";
import type { AddressCollector } from "../../geocoding/collector.ts";
import { LANGUAGES, type Language, NO_CONTEXT } from "../../geocoding/entry.ts";
import { splitHouseNumbers, trimHouseNumber } from "../../geocoding/house-number.ts";
import { categoriesOf } from "../../places/categories.ts";
import { chainOf } from "../../places/chains.ts";
import type { LayerInput, LayerOutput } from "../layer.ts";
import type { OsmElement, OsmWay, Tags } from "../osm/element.ts";
import { footprintOf, footprintOfParts } from "../places/footprint.ts";
import { iataCodes } from "../places/iata-codes.ts";
import type { Progress } from "../progress.ts";
import type { DrawnRegion } from "../regions/import-shapes.ts";
import { HouseContext } from "./house-context.ts";
import { houseFactsOf } from "./house-facts.ts";
import { between } from "./interpolation.ts";
import type { RegionsAround } from "./regions-around.ts";
import { importanceOf, peopleOf, type Settlements } from "./settlements.ts";

/** Something found in one pass that waits until all settlements are known. */
type Pending = () => Promise<void>;

/** Takes houses, streets, places and regions of the extracts. */
export async function collectOsm(
  input: LayerInput,
  regions: RegionsAround,
  settlements: Settlements,
  collector: AddressCollector,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  const where = new HouseContext(regions, settlements);
  const streetOf = await streetsOfMembers(input);
  const ends = await interpolationEnds(input);
  const pending: Pending[] = [];

  const house = (tags: Tags, at: Coordinate, street: string) => {
    if (splitHouseNumbers(tags["addr:housenumber"]).length === 0) return out.count("left out: no house number to read");
    pending.push(async () => {
      const { context, postalCode } = await where.of(tags, at);
      const id = collector.street(street, collector.context(context), postalCode);
      const { number: written, unit = "" } = trimHouseNumber(tags["addr:housenumber"], context.countryCode);
      const numbers = splitHouseNumbers(written);
      const facts = houseFactsOf(tags, context.countryCode);
      for (const number of numbers) collector.house(id, number, at, { ...facts, units: facts.units || unit });
      out.count("addresses", numbers.length);
    });
  };
  const place = (tags: Tags, at: Coordinate) => {
    const name = tags.name ?? tags["name:en"] ?? chainOf(tags)?.name;
    if (!name || tags.disused === "yes" || tags.abandoned === "yes") return;
    pending.push(async () => {
      const { context, postalCode } = await where.of(tags, at);
      const { latitude, longitude } = at;
      const importance = importanceOfPlace(tags);
      collector.entry({
        kind: "place",
        name,
        context,
        postalCode,
        latitude,
        longitude,
        importance,
        names: airportNames(tags, name),
      });
      out.count("places");
    });
  };
  const take = (element: OsmElement, at: () => Coordinate | undefined) => {
    const { tags, type, id } = element;
    const street = tags["addr:street"] ?? tags["addr:place"] ?? streetOf.get(`${type}${id}`);
    const numbered = tags["addr:housenumber"] !== undefined;
    const isPlace = categoriesOf(tags).length > 0;
    if (!numbered && !isPlace) return;
    const position = at();
    if (!position) return out.count("left out: no geometry");
    progress.advance();
    if (numbered && street) house(tags, position, street);
    else if (numbered && !(type === "node" && ends.has(id))) out.count("left out: house without a street");
    if (isPlace) place(tags, position);
  };

  await input.scan({
    node(node) {
      const people = node.tags.name ? peopleOf(node.tags) : undefined;
      if (people !== undefined) {
        settlements.add(node.tags, { latitude: node.latitude, longitude: node.longitude });
        pending.push(() => locality(node.tags, node, people, collector, regions, out));
      }
      if (ends.has(node.id)) ends.set(node.id, node.tags);
      take(node, () => ({ latitude: node.latitude, longitude: node.longitude }));
    },
    way(way) {
      take(way, () => footprintOf(input.line(way))?.center);
      const { highway, name } = way.tags;
      if (highway && name) {
        pending.push(() => streetLine(way, input, where, collector));
        out.count("pieces of streets");
      }
      if (way.tags["addr:interpolation"]) {
        for (const one of interpolated(way, input, ends)) {
          pending.push(async () => {
            const { context, postalCode } = await where.of(one.tags, one.at);
            const id = collector.street(one.street, collector.context(context), postalCode);
            const [number] = splitHouseNumbers(`${one.number}`);
            collector.house(id, number, one.at, { computed: !one.known });
            out.count(one.known ? "addresses" : "addresses between known ones");
          });
        }
      }
    },
    relation(relation) {
      if (relation.tags.boundary === "administrative" || relation.tags.boundary === "postal_code") return;
      take(relation, () => footprintOfParts(input.multipolygon(relation) ?? [])?.center);
    },
  });
  await settlements.settle((point) => regions.at(point));
  for (const one of pending) await one();
  for (const region of regions.drawn) await regionEntry(region, collector, regions, out);
  postalCodes(collector, out);
}

/** Streets by the members of associatedStreet and street relations: "way12" → its name. */
async function streetsOfMembers(input: LayerInput): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  await input.scan({
    relation({ tags, members }) {
      if (tags.type !== "associatedStreet" && tags.type !== "street") return;
      const name = tags.name ?? tags["addr:street"];
      if (!name) return;
      for (const { type, ref, role } of members) {
        if (role === "house" || role === "address" || role === "") names.set(`${type}${ref}`, name);
      }
    },
  });
  return names;
}

/** Nodes that interpolation lines run through; their tags are filled in when the scan reaches them. */
async function interpolationEnds(input: LayerInput): Promise<Map<number, Tags>> {
  const ends = new Map<number, Tags>();
  await input.scan({
    way(way) {
      if (way.tags["addr:interpolation"]) for (const ref of way.refs) ends.set(ref, {});
    },
  });
  return ends;
}

interface Interpolated {
  number: number;
  at: Coordinate;
  tags: Tags;
  street: string;
  /** An end of the line whose node does not name the street, but the line does. */
  known: boolean;
}

function interpolated(way: OsmWay, input: LayerInput, ends: ReadonlyMap<number, Tags>): Interpolated[] {
  const out: Interpolated[] = [];
  let last: { number: number; tags: Tags } | undefined;
  let line: Coordinate[] = [];
  for (const ref of way.refs) {
    const at = input.location(ref);
    if (!at) continue;
    line.push(at);
    const own = ends.get(ref) ?? {};
    const written = own["addr:housenumber"] ?? "";
    if (!/^\d{1,6}$/.test(written)) continue;
    const tags = { ...way.tags, ...own };
    const number = Number(written);
    const street = tags["addr:street"];
    if (street && own["addr:street"] === undefined) out.push({ number, at, tags, street, known: true });
    if (street && last) {
      for (const one of between(way.tags["addr:interpolation"], last.number, number, line)) {
        out.push({ ...one, tags, street, known: false });
      }
    }
    last = { number, tags };
    line = [at];
  }
  return out;
}

async function streetLine(way: OsmWay, input: LayerInput, where: HouseContext, collector: AddressCollector) {
  const points = input.line(way).map(([longitude, latitude]) => ({ latitude, longitude }));
  if (points.length < 2) return;
  const { context, postalCode } = await where.of({}, points[points.length >> 1]);
  const id = collector.street(way.tags.name, collector.context(context), postalCode, namesOf(way.tags));
  collector.line(id, points);
}

async function locality(
  tags: Tags,
  { latitude, longitude }: Coordinate,
  people: number,
  collector: AddressCollector,
  regions: RegionsAround,
  out: LayerOutput,
): Promise<void> {
  const around = await regions.at({ latitude, longitude });
  const context = {
    ...NO_CONTEXT,
    city: around.locality && around.locality.name !== tags.name ? around.locality.name : "",
    county: around.county?.name ?? "",
    stateCode: around.state?.code ?? "",
    state: around.state?.name ?? "",
    countryCode: around.country?.code ?? "",
  };
  const importance = importanceOf(people);
  const names = namesOf(tags);
  collector.entry({
    kind: "locality",
    name: tags.name,
    context,
    postalCode: "",
    latitude,
    longitude,
    importance,
    names,
  });
  out.count("localities");
}

const REGION_IMPORTANCE = { country: 250, state: 215, county: 150, locality: 130, postalCode: 90 } as const;

async function regionEntry(
  { relation, shape }: DrawnRegion,
  collector: AddressCollector,
  regions: RegionsAround,
  out: LayerOutput,
): Promise<void> {
  const { kind, code } = shape;
  if (kind === "borough" || kind === "neighborhood") return;
  const at = ringCentroid(shape.rings[0]);
  const around = await regions.at(at);
  const name = kind === "postalCode" ? code : (relation.tags.name ?? shape.name);
  if (!name) return;
  const context = {
    ...NO_CONTEXT,
    countryCode: around.country?.code ?? shape.country,
    ...(kind !== "country" && { stateCode: around.state?.code ?? "", state: around.state?.name ?? "" }),
    ...(kind === "locality" && { county: around.county?.name ?? "" }),
  };
  const postalCode = kind === "postalCode" ? code : "";
  collector.entry({
    kind,
    name,
    context,
    postalCode,
    ...at,
    importance: REGION_IMPORTANCE[kind],
    names: namesOf(relation.tags),
  });
  out.count(`regions: ${kind}`);
}

/** Postal codes that only occur on houses: placed in the middle of those houses. */
function postalCodes(collector: AddressCollector, out: LayerOutput): void {
  const known = new Set(collector.entries.filter(({ kind }) => kind === "postalCode").map(({ name }) => name));
  const found = new Map<string, { count: number; latitude: number; longitude: number; context: number }>();
  const { houses, streets, contexts } = collector;
  for (let i = 0; i < houses.count; i++) {
    const { postalCode, context } = streets[houses.street[i]];
    if (postalCode === "" || known.has(postalCode)) continue;
    const key = `${contexts[context].countryCode}\n${postalCode}`;
    const sum = found.get(key) ?? { count: 0, latitude: 0, longitude: 0, context };
    sum.count++;
    sum.latitude += houses.latitude[i] / 1e5;
    sum.longitude += houses.longitude[i] / 1e5;
    found.set(key, sum);
  }
  for (const [key, { count, latitude, longitude, context }] of found) {
    const postalCode = key.split("\n")[1];
    collector.entry({
      kind: "postalCode",
      name: postalCode,
      context: contexts[context],
      postalCode,
      latitude: latitude / count,
      longitude: longitude / count,
      importance: REGION_IMPORTANCE.postalCode,
    });
    out.count("regions: postalCode");
  }
}

/** Names in the ten languages, where they differ from the name itself. */
function namesOf(tags: Tags): (readonly [Language, string])[] {
  return LANGUAGES.map((language) => [language, tags[`name:${language}`]] as const).filter(
    (pair): pair is readonly [Language, string] => pair[1] !== undefined && pair[1] !== tags.name,
  );
}

/**
 * An airport is also found by its codes: "YVR", "YVR Airport", "Flughafen MUC". The first name of a language is shown.
 */
function airportNames(tags: Tags, name: string): (readonly [Language, string])[] {
  const names = namesOf(tags);
  const codes = iataCodes(tags);
  if (codes.length === 0) return names;
  const own = names.some(([language]) => language === "en") ? [] : [["en", name] as const];
  const coded = codes.flatMap((code) => [code, `${code} Airport`, `${code} ${name}`]);
  return [...names, ...own, ...coded.map((text) => ["en", text] as const)];
}

/** The importance of a place, 0 … 255. */
function importanceOfPlace(tags: Tags): number {
  const airport = tags.aeroway === "aerodrome" && tags.iata ? 90 : 0;
  return 45 + (tags.wikidata ? 45 : 0) + (tags.wikipedia ? 25 : 0) + (tags["brand:wikidata"] ? 10 : 0) + airport;
}
