import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { haversine } from "../../../src/core/geo/distance.ts";
import { BlobFile, unpackBlob } from "../../../src/importer/osm/pbf/blob-file.ts";
import { decodeBlock, type ElementHandlers } from "../../../src/importer/osm/pbf/decode-block.ts";
import type { OsmElement, OsmNode, OsmWay, Tags } from "../../../src/importer/osm/pbf/element.ts";
import { seededRandom } from "../support/random.ts";

export interface DayOptions {
  /** Share of all elements that are changed. */
  share: number;
  /** In how many places they lie: in each, a third of what is around is changed. 0: scattered evenly; "mappers": as a day's mappers do. */
  places: number | "mappers";
  seed?: number;
}

/**
 * What a day of OpenStreetMap is like (OSMSG-stats, github.com/kshitij-raj-sharma/OSMSG-stats, the day of 2023-09-28): 6,400 people made 3.3
 * million changes, of which 2.1 million created elements, 0.9 modified and 0.3 deleted some; five of them made 13 % of all, the first
 * 5 %. So each has 516 on average, and the k-th of them has a share of about k to the −0.85.
 */
const MAPPERS = { changes: 516, exponent: 0.85, created: 0.64 };
/** A building: four corners and their way. */
const BUILDING = 5;

const ALL = { nodes: true, ways: true, relations: true } as const;
/** Created elements: beyond all of the demo world. */
const FRESH = 9e9;
/** Of what lies in a place, one in so many is changed. */
const THINNED = 3;

/**
 * A day of mapping as a file of changes (.osc.gz): most are nodes that are moved some metres and tags of houses, shops and
 * roads; some houses come and go, and a few paths come. In OpenStreetMap edits come in places, as mappers work through a neighbourhood.
 *
 * @returns how many elements are changed
 */
export async function writeDayOfChanges(
  extract: string,
  path: string,
  { share, places, seed = 1 }: DayOptions,
): Promise<number> {
  const draw = seededRandom(seed);
  const mapped = places === "mappers";
  const count = mapped ? MAX_MAPPERS : places;
  const centres: OsmNode[] = [];
  let elements = 0;
  let nodes = 0;
  await eachElement(extract, {
    node(node) {
      nodes++;
      elements++;
      // Each node is equally likely to be one of the centres (reservoir sampling).
      if (centres.length < count) centres.push(node);
      else if (draw() * nodes < count) centres[Math.floor(draw() * count)] = node;
    },
    way: () => void elements++,
    relation: () => void elements++,
  });
  const most = Math.round(elements * share);
  const sizes = mapped ? sessions(most) : Array.from({ length: places }, () => most / places);
  centres.length = Math.min(centres.length, sizes.length);
  const changed = mapped ? 1 - MAPPERS.created : 1;
  const reach = await reachOf(
    extract,
    centres,
    sizes.map((size) => (THINNED * size * changed * nodes) / elements),
  );
  const placeOf = (node: OsmNode) => centres.findIndex((at, i) => away(at, node, reach[i]) < reach[i]);
  const chance = sizes.length > 0 ? 1 / THINNED : share;
  const near = new Set<number>();
  const out = new Texts();
  const buildings = sizes.map((size) => (mapped ? Math.round((size * MAPPERS.created) / BUILDING) : 0));
  const building = buildings.map((left, i) => left / Math.max(1, (THINNED * sizes[i] * changed * nodes) / elements));
  const ends: number[] = [];
  await eachElement(extract, {
    node(node) {
      if (sizes.length > 0) {
        const place = placeOf(node);
        if (place < 0) return;
        near.add(node.id);
        for (let some = building[place] + draw(); some >= 1 && buildings[place] > 0; some--) {
          buildings[place]--;
          build(node, draw, out);
        }
      }
      if (draw() < chance) changeNode(node, draw, out);
      else if (draw() < 0.02 && ends.length < most / 50) ends.push(node.id);
    },
    way(way) {
      if (sizes.length > 0 && !near.has(way.refs[0])) return;
      if (draw() >= chance) return;
      if (mapped && way.tags.building && draw() < 0.3) out.add("delete", way);
      else changeWay(way, draw, out);
    },
  });
  // Paths between nodes that are there.
  for (let i = 0; i + 1 < ends.length; i += 8) {
    const way: OsmWay = { type: "way", id: FRESH + i, refs: [ends[i], ends[i + 1]], tags: { highway: "footway" } };
    out.add("create", way);
  }
  await writeFile(path, gzipSync(out.finish()));
  return out.count;
}

async function eachElement(path: string, handlers: ElementHandlers): Promise<void> {
  const file = await BlobFile.open(path);
  try {
    for (const place of file.blobs)
      decodeBlock(unpackBlob(await file.readBlob(place), path, place.offset), handlers, ALL);
  } finally {
    await file.close();
  }
}

/** Mappers of a bench at most. */
const MAX_MAPPERS = 1000;

/** How many elements each mapper changes, the busiest first. */
function sessions(changes: number): number[] {
  const count = Math.max(1, Math.min(MAX_MAPPERS, Math.round(changes / MAPPERS.changes)));
  const shares = Array.from({ length: count }, (_, k) => (k + 1) ** -MAPPERS.exponent);
  const all = shares.reduce((sum, one) => sum + one, 0);
  return shares.map((one) => (changes * one) / all);
}

/** Four corners beside a node, and their way; one in seven has an address. */
function build({ latitude, longitude, id }: OsmNode, draw: () => number, out: Texts): void {
  const [north, east] = [latitude + (draw() - 0.5) * 4e-4, longitude + (draw() - 0.5) * 4e-4];
  const first = FRESH + 1e8 + 4 * out.count;
  for (let i = 0; i < 4; i++) {
    const at = { latitude: north + (i > 1 ? 1e-4 : 0), longitude: east + (i % 3 > 0 ? 1e-4 : 0) };
    out.add("create", { type: "node", id: first + i, ...at, tags: {} });
  }
  const house: Tags = draw() < 1 / 7 ? { "addr:housenumber": `${1 + (id % 99)}`, "addr:street": "New Street" } : {};
  const refs = [0, 1, 2, 3, 0].map((i) => first + i);
  out.add("create", { type: "way", id: first, refs, tags: { building: "yes", ...house } });
}

/** A place reaches no further [m]. */
const FURTHEST = 5000;
/** No degree of latitude is shorter [m]. */
const DEGREE = 111_000;

/** How far a node is from another [m]; infinite where its latitude alone says that it is further than `most`. */
const away = (at: OsmNode, { latitude, longitude }: OsmNode, most: number): number =>
  Math.abs(at.latitude - latitude) * DEGREE > most
    ? Number.POSITIVE_INFINITY
    : haversine(at.latitude, at.longitude, latitude, longitude);

/** How far each place reaches [m], for so many nodes in it. */
async function reachOf(extract: string, centres: readonly OsmNode[], nodes: readonly number[]): Promise<number[]> {
  const far: number[][] = centres.map(() => []);
  if (centres.length === 0) return [];
  await eachElement(extract, {
    node(node) {
      for (const [i, at] of centres.entries()) {
        const metres = away(at, node, FURTHEST);
        if (metres < FURTHEST) far[i].push(metres);
      }
    },
  });
  return far.map((list, i) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(nodes[i]))]);
}

function changeNode(node: OsmNode, draw: () => number, out: Texts): void {
  const { tags } = node;
  const kind = draw();
  const moved = { latitude: node.latitude + (draw() - 0.5) * 4e-5, longitude: node.longitude + (draw() - 0.5) * 4e-5 };
  if (tags["addr:housenumber"] && kind < 0.15) out.add("delete", node);
  else if (tags["addr:housenumber"] && kind < 0.4) out.add("modify", { ...node, tags: { ...tags, "addr:unit": "2" } });
  else if (tags.name && kind < 0.7) out.add("modify", { ...node, tags: { ...tags, name: `${tags.name} II` } });
  else out.add("modify", { ...node, ...moved });
  const street = tags["addr:street"];
  if (street && draw() < 0.4) {
    const house: Tags = { "addr:housenumber": `${1 + Math.floor(draw() * 9000)}`, "addr:street": street };
    out.add("create", { type: "node", id: FRESH + node.id, ...moved, tags: house });
  }
}

function changeWay(way: OsmWay, draw: () => number, out: Texts): void {
  const { tags } = way;
  const more: Tags = !tags.highway
    ? { "building:levels": `${1 + Math.floor(draw() * 4)}` }
    : draw() < 0.3
      ? { maxspeed: "40" }
      : draw() < 0.3 && tags.name
        ? { name: `${tags.name} West` }
        : { surface: "asphalt", lit: "yes" };
  out.add("modify", { ...way, tags: { ...tags, ...more } });
}

class Texts {
  count = 0;
  readonly #lines: Record<string, string[]> = { create: [], modify: [], delete: [] };

  add(action: "create" | "modify" | "delete", element: OsmElement): void {
    this.count++;
    const { type, id, tags } = element;
    const tagged = Object.entries(tags).map(([k, v]) => `<tag k="${escaped(k)}" v="${escaped(v)}"/>`);
    const at =
      element.type === "node" ? ` lat="${element.latitude.toFixed(7)}" lon="${element.longitude.toFixed(7)}"` : "";
    const refs = element.type === "way" ? element.refs.map((ref) => `<nd ref="${ref}"/>`) : [];
    const head = `<${type} id="${id}" version="2" timestamp="2026-11-20T10:00:00Z"${at}>`;
    this.#lines[action].push(`${head}${refs.join("")}${tagged.join("")}</${type}>`);
  }

  finish(): string {
    const parts = Object.entries(this.#lines).map(([action, lines]) => `<${action}>${lines.join("\n")}</${action}>`);
    return `<osmChange version="0.6">${parts.join("\n")}</osmChange>`;
  }
}

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
