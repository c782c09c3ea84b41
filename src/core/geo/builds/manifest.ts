import { crc32c } from "../bytes/crc32c.ts";
import { SEAL } from "./sealed.ts";
import { UnreadableObject } from "./tile-source.ts";

/**
 * The contents of the geodata bucket. The importer writes it, the Worker reads it:
 *
 *     live.json                     which builds are live: the only source of truth, updated last
 *     builds/<id>/manifest.json     sources and layers of a build
 *     builds/<id>/objects.json      every object's size and SHA-256
 *     builds/<id>/<layer>/…         the objects: immutable, as is everything under a build id
 */
export const LIVE_KEY = "live.json";
export const MANIFEST_VERSION = 1;

/** The built-in build before any import: countries, cities, time zones of the entire Earth. */
export const WORLD = "world";

/** [west, south, east, north] in degrees. west > east when it crosses the 180th meridian. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

export function isInBounds([west, south, east, north]: Bounds, latitude: number, longitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** A data source and the requirements of its license; attributions are generated from it. */
export interface DataSource {
  readonly name: string;
  readonly url: string;
  readonly licence: string;
  /** URL of the license text. */
  readonly licenceUrl?: string;
  /** Text to show if the license requires attribution: "© OpenStreetMap contributors". */
  readonly attribution?: string;
  /** Date of the data [ISO 8601]; of several input files, the oldest. */
  readonly date?: string;
  /** The edition, where a source has editions instead of dates. */
  readonly edition?: string;
}

interface LayerSummary {
  formatVersion: number;
  /** Areas with data; [] if there are none. Absent in older builds, which use the areas of the inputs. */
  areas?: Bounds[];
  objects: number;
  bytes: number;
  counts: Record<string, number>;
  /** Names of the sources that went into it; absent in older builds, where all of the build's may have. */
  sources?: string[];
}

/** builds/<id>/manifest.json. It contains no creation time: same input, same bytes, same id. */
export interface Manifest {
  version: typeof MANIFEST_VERSION;
  /** First 16 hex digits of a SHA-256 over the rest of the manifest. */
  id: string;
  name: string;
  bounds: Bounds;
  /** The files that went in; `bounds` is the area each covers. */
  inputs: { name: string; bytes: number; sha256: string; bounds?: Bounds; timestamp?: string }[];
  sources: DataSource[];
  layers: Record<string, LayerSummary>;
  /** Checksum of objects (geo/builds/sealed.ts); absent in older builds, whose objects have none. */
  checksum?: typeof SEAL;
  /** SHA-256 of objects.json, and so of every object. */
  objectsSha256: string;
}

/** builds/<id>/objects.json: key within the build → [size in bytes, SHA-256 in hex], by ascending key. */
export type ObjectList = Record<string, [bytes: number, sha256: string]>;

/** A live build with the data that the Worker needs to choose it without opening a manifest. */
export interface LiveBuild {
  name: string;
  id: string;
  /** The area of each extract; a point belongs to the build if one of them contains it. */
  areas: Bounds[];
  /** Layer → version of its format. A layer without data is not live. */
  layers: Record<string, number>;
  /** Layer → where it has data, for layers whose areas are not those of the build. */
  layerAreas?: Record<string, Bounds[]>;
  /** Checksum of its objects (geo/builds/sealed.ts); absent in older builds, whose objects have none. */
  checksum?: typeof SEAL;
  sources: DataSource[];
  /** Layer → names of its sources, for layers that not all of the build's sources went into. */
  layerSources?: Record<string, string[]>;
  /** Time at which it went live [ISO 8601]; absent if an older program made it live. */
  liveSince?: string;
  /** Builds of the same name that were live before, the latest first. */
  previous: string[];
}

/** A page with objects of all live builds (live-pages.ts): it covers builds whose ids are not before `from`. */
export interface PageName {
  key: string;
  from: string;
}

/** Key of an object that builds have → the pages with copies of it, by their ids. */
export type PageNames = Readonly<Record<string, readonly PageName[]>>;

/** live.json */
export interface LiveList {
  version: typeof MANIFEST_VERSION;
  builds: LiveBuild[];
  /** CRC-32C of `builds` as JSON; absent in lists of older importers. */
  crc32c?: number;
  /** Absent in lists of older importers: each build is then read directly. */
  pages?: PageNames;
  /** Keys of pages of the list before this one, which machines may still read. */
  pagesBefore?: string[];
}

/** Where a layer of a build has data. */
export function areasOf({ areas, layerAreas }: LiveBuild, layer: string): readonly Bounds[] {
  return layerAreas?.[layer] ?? areas;
}

/** Returns the sources of a layer of a build. */
export function sourcesOf({ sources, layerSources }: LiveBuild, layer: string): readonly DataSource[] {
  const names = layerSources?.[layer];
  return names ? sources.filter(({ name }) => names.includes(name)) : sources;
}

export function buildKey(id: string, key: string): string {
  return `builds/${id}/${key}`;
}

/** Formats builds as the text of live.json. */
export function formatLiveList(builds: LiveBuild[], { pages = {}, pagesBefore = [] }: Partial<LiveList> = {}): string {
  const list: LiveList = {
    version: MANIFEST_VERSION,
    crc32c: checksumOf(builds),
    builds,
    ...(Object.keys(pages).length > 0 && { pages }),
    ...(pagesBefore.length > 0 && { pagesBefore }),
  };
  return JSON.stringify(list);
}

/**
 * Parses the text of live.json.
 * @throws UnreadableObject when it is damaged; Error when it was written by a newer importer
 */
export function parseLiveList(text: string): LiveList {
  const list = readJson(text);
  if (list.version !== MANIFEST_VERSION || !Array.isArray(list.builds)) {
    throw new Error(`${LIVE_KEY} has version ${list.version}; this program knows version ${MANIFEST_VERSION}`);
  }
  if (list.crc32c !== undefined && list.crc32c !== checksumOf(list.builds)) {
    throw new UnreadableObject(LIVE_KEY, "its checksum does not fit");
  }
  const strange = list.builds.find(({ checksum = SEAL }) => checksum !== SEAL);
  if (strange)
    throw new Error(`the build ${strange.name} has checksums "${strange.checksum}"; this program knows ${SEAL}`);
  return list as LiveList;
}

function readJson(text: string): Partial<LiveList> {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableObject(LIVE_KEY, error instanceof Error ? error.message : String(error));
  }
}

function checksumOf(builds: readonly LiveBuild[]): number {
  return crc32c(new TextEncoder().encode(JSON.stringify(builds)));
}
