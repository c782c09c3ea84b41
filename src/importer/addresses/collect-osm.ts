import type { Coordinate } from "../../geo/coordinate.ts";
import { LANGUAGES, type Language } from "../../geocoding/entry.ts";
import type { Names } from "../../geocoding/entry-record.ts";
import { splitHouseNumbers } from "../../geocoding/house-number.ts";
import { categoriesOf } from "../../places/categories.ts";
import { chainOf } from "../../places/chains.ts";
import type { LayerInput, LayerOutput } from "../layer.ts";
import { NO_PLACE, type OsmElement, type OsmWay, type Tags } from "../osm/element.ts";
import { footprintOf, footprintOfParts } from "../places/footprint.ts";
import { iataCodes } from "../places/iata-codes.ts";
import type { Progress } from "../progress.ts";
import { between } from "./interpolation.ts";
import { InterpolationEnds } from "./interpolation-ends.ts";
import { MemberStreets } from "./member-streets.ts";
import type { RecordSink } from "./record-sink.ts";
import type { NamedRegion } from "./regions-around.ts";
import { importanceOf, peopleOf, type Settlements } from "./settlements.ts";

/** Takes houses, streets, places and regions of the extracts; in which town each lies is told later. */
export async function collectOsm(
  input: LayerInput,
  drawn: readonly NamedRegion[],
  settlements: Settlements,
  sink: RecordSink,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  const streets = await MemberStreets.of(input);
  const ends = await InterpolationEnds.of(input);

  const house = (tags: Tags, at: Coordinate, street: string) => {
    if (splitHouseNumbers(tags["addr:housenumber"]).length === 0) return out.count("left out: no house number to read");
    sink.add({ kind: "house", at, tags, street });
  };
  const place = (tags: Tags, at: Coordinate) => {
    const name = tags.name ?? tags["name:en"] ?? chainOf(tags)?.name;
    if (!name || tags.disused === "yes" || tags.abandoned === "yes") return;
    const importance = importanceOfPlace(tags);
    sink.add({ kind: "place", at, tags, name, importance, names: airportNames(tags, name) });
  };
  const take = (element: OsmElement, at: () => Coordinate | undefined) => {
    const { tags, type, id } = element;
    const street = tags["addr:street"] ?? tags["addr:place"] ?? streets.of(type, id);
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
      const { latitude, longitude, tags } = node;
      const at = { latitude, longitude };
      const people = tags.name ? peopleOf(tags) : undefined;
      if (people !== undefined) {
        settlements.add(tags, at);
        const importance = importanceOf(people);
        sink.add({ kind: "locality", at, name: tags.name, importance, names: namesOf(tags) });
      }
      ends.see(node.id, tags);
      take(node, () => at);
    },
    way(way) {
      take(way, () => footprintOf(input.line(way))?.center);
      const { highway, name } = way.tags;
      if (highway && name) {
        streetLine(way, input, sink);
        out.count("pieces of streets");
      }
      if (way.tags["addr:interpolation"]) interpolated(way, ends, sink, out);
    },
    relation(relation) {
      if (relation.tags.boundary === "administrative" || relation.tags.boundary === "postal_code") return;
      take(relation, () => footprintOfParts(input.multipolygon(relation) ?? [])?.center);
    },
  });
  for (const region of drawn) drawnRegion(region, sink);
}

function interpolated(way: OsmWay, ends: InterpolationEnds, sink: RecordSink, out: LayerOutput): void {
  let last: { number: number; tags: Tags } | undefined;
  let line: Coordinate[] = [];
  for (const [i, ref] of way.refs.entries()) {
    const [east, north] = [way.line?.[2 * i] ?? NO_PLACE, way.line?.[2 * i + 1] ?? NO_PLACE];
    if (north === NO_PLACE) continue;
    const at = { latitude: north / 1e7, longitude: east / 1e7 };
    line.push(at);
    const own = ends.tagsOf(ref) ?? {};
    const written = own["addr:housenumber"] ?? "";
    if (!/^\d{1,6}$/.test(written)) continue;
    const tags = { ...way.tags, ...own };
    const number = Number(written);
    const street = tags["addr:street"];
    // An end of the line whose node does not name the street, but the line does, is a house as well.
    if (street && own["addr:street"] === undefined)
      sink.add({ kind: "between", at, tags, street, number: `${number}`, computed: false });
    if (street && last) {
      const others = between(way.tags["addr:interpolation"], last.number, number, line);
      if (!others) out.count("left out: interpolation that does not fit its numbers");
      for (const one of others ?? [])
        sink.add({ kind: "between", at: one.at, tags, street, number: `${one.number}`, computed: true });
    }
    last = { number, tags };
    line = [at];
  }
}

function streetLine(way: OsmWay, input: LayerInput, sink: RecordSink): void {
  const line = input.line(way).map(([longitude, latitude]) => ({ latitude, longitude }));
  if (line.length < 2) return;
  sink.add({ kind: "line", at: line[line.length >> 1], name: way.tags.name, names: namesOf(way.tags), line });
}

export const REGION_IMPORTANCE = { country: 250, state: 215, county: 150, locality: 130, postalCode: 90 } as const;

/** The name a region is found by; undefined for one that is not found by name. */
export function nameOfRegion({ kind, code, name, tags }: NamedRegion): string | undefined {
  if (kind === "borough" || kind === "neighborhood") return undefined;
  return (kind === "postalCode" ? code : (tags.name ?? name)) || undefined;
}

function drawnRegion(region: NamedRegion, sink: RecordSink): void {
  const { kind, at, country, tags } = region;
  const name = nameOfRegion(region);
  if (name === undefined || kind === "borough" || kind === "neighborhood") return;
  const importance = REGION_IMPORTANCE[kind];
  sink.add({ kind: "region", at, name, importance, names: namesOf(tags), region: kind, country });
}

/** Names in the ten languages, where they differ from the name itself. */
function namesOf(tags: Tags): Names {
  return LANGUAGES.map((language) => [language, tags[`name:${language}`]] as const).filter(
    (pair): pair is readonly [Language, string] => pair[1] !== undefined && pair[1] !== tags.name,
  );
}

/**
 * An airport is also found by its codes: "YVR", "YVR Airport", "Flughafen MUC". The first name of a language is shown.
 */
function airportNames(tags: Tags, name: string): Names {
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
