import { mkdir, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isCoordinate } from "../../../core/geo/coordinate.ts";
import { ImportError } from "../../common/import-error.ts";
import { textOf } from "../../common/text-file.ts";
import { ExternalSort } from "../../sort/external-sort.ts";
import type { OsmElement } from "../pbf/element.ts";
import { writePbf } from "../pbf/write-pbf.ts";
import { scanPbf } from "../read/read-pbf.ts";
import { ID_LIMIT } from "../store/id-set.ts";
import { OsmXml, type XmlElement } from "./osm-xml.ts";

/**
 * Extracts in other forms as sorted .osm.pbf files, which all else reads: OSM XML as JOSM, the API and Overpass write it, and PBF
 * files that have the places of nodes with the ways instead of the nodes (LocationsOnWays).
 */

/** Bytes that the sort holds. */
const SORT_MEMORY = 64e6;
const KINDS = ["node", "way", "relation"] as const;

/** Elements that were drawn and not uploaded have negative ids; theirs follow after all that OpenStreetMap will use for long. */
const FIRST_OWN_ID = 2 ** 34;

interface Sorted {
  element: OsmElement;
  /** −1: a node that is known from a way only. */
  version: number;
}

/** Collects elements in any order, and writes them in that of an extract. */
class Elements {
  readonly #name: string;
  readonly #sort: ExternalSort;

  constructor(name: string, path: string) {
    this.#name = name;
    this.#sort = new ExternalSort({ path: `${path}.sort`, memory: SORT_MEMORY });
  }

  get count(): number {
    return this.#sort.count;
  }

  add(element: OsmElement, version: number): void {
    const { id, type } = element;
    if (!(id > 0 && id < ID_LIMIT)) {
      throw new ImportError(
        `${this.#name}: ${type}. The id ${id} is outside what OpenStreetMap uses. Renumber the file (osmium renumber) and import that.`,
      );
    }
    const content = Buffer.from(JSON.stringify({ element, version } satisfies Sorted));
    this.#sort.add(KINDS.indexOf(type) * 2 * ID_LIMIT + id, content);
  }

  /** Each element once. @throws ImportError for the history of an area */
  *sorted(): Generator<OsmElement> {
    let last: Sorted | undefined;
    for (const { bytes, start, end } of this.#sort.sorted()) {
      const next = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()) as Sorted;
      const isSame = last?.element.id === next.element.id && last.element.type === next.element.type;
      if (last && !isSame) yield last.element;
      if (last && isSame && last.version > 0 && next.version > 0 && last.version !== next.version) {
        throw new ImportError(
          `${this.#name} holds several versions of the ${next.element.type} ${next.element.id}: it is a history file. Cut out one moment with osmium time-filter and import that.`,
        );
      }
      if (!last || !isSame || next.version >= last.version) last = next;
    }
    if (last) yield last.element;
  }

  close(): void {
    this.#sort.close();
  }
}

/** Writes an OSM XML file as a sorted extract. @throws ImportError */
export async function xmlToPbf(path: string, name: string, encoding: string, to: string): Promise<void> {
  await written(name, to, async (elements) => {
    const header: Header = {};
    const xml = new OsmXml(name, "OpenStreetMap XML file (.osm)", "osm", {
      open: (tag, attributes) => readHeader(tag, attributes, header, name),
      element: (element) => take(element, elements),
    });
    for await (const text of textOf(path, encoding)) xml.write(text);
    xml.end();
    return header;
  });
}

/** Writes an extract with the places of nodes on its ways as one with nodes. @throws ImportError */
export async function withNodes(path: string, to: string): Promise<void> {
  await written(basename(path), to, async (elements) => {
    const node = (latitude: number, longitude: number, id: number) =>
      isCoordinate(latitude, longitude) && elements.add({ type: "node", id, latitude, longitude, tags: {} }, -1);
    const { bounds, timestamp } = await scanPbf(path, {
      node: (element) => elements.add(element, 0),
      way({ line, ...way }) {
        elements.add(way, 0);
        if (line) for (const [i, ref] of way.refs.entries()) node(line[2 * i + 1] / 1e7, line[2 * i] / 1e7, ref);
      },
      relation: (element) => elements.add(element, 0),
    });
    return { bounds, timestamp };
  });
}

interface Header {
  bounds?: [number, number, number, number] | undefined;
  timestamp?: number | undefined;
}

async function written(name: string, to: string, fill: (elements: Elements) => Promise<Header>): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const elements = new Elements(name, to);
  try {
    const { bounds, timestamp } = await fill(elements);
    await writePbf(to, elements.sorted(), {
      ...(bounds && { bounds }),
      ...(timestamp !== undefined && { timestamp }),
    });
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  } finally {
    elements.close();
  }
}

/** Overpass and the API say what area and moment they answer for; JOSM has a box for each download. */
function readHeader(tag: string, attributes: Readonly<Record<string, string>>, header: Header, name: string): void {
  if (tag === "bounds") {
    const box = ["minlon", "minlat", "maxlon", "maxlat"].map((edge) => Number(attributes[edge]));
    const [west, south, east, north] = box;
    if (!isCoordinate(south, west) || !isCoordinate(north, east)) return;
    const known = header.bounds ?? [west, south, east, north];
    header.bounds = [
      Math.min(known[0], west),
      Math.min(known[1], south),
      Math.max(known[2], east),
      Math.max(known[3], north),
    ];
  } else if (tag === "meta" && attributes.osm_base !== undefined) {
    const time = Date.parse(attributes.osm_base) / 1000;
    if (time > 0) header.timestamp = Math.floor(time);
  } else if (tag === "remark") {
    throw new ImportError(
      `${name} is not complete: the server that wrote it met an error at its end. Ask it for a smaller area, or with a longer timeout.`,
    );
  } else if (tag === "action") {
    throw new ImportError(`${name} holds differences between two moments, not map data. Ask for the data of one.`);
  }
}

function take({ kind, id, attributes, tags, refs, members, places }: XmlElement, elements: Elements): void {
  const { action, visible, version } = attributes;
  if (action === "delete" || visible === "false") return;
  const number = Math.max(0, Number(version)) || 0;
  for (const { id: node, lat, lon } of places) addNode(ownId(node), lat, lon, {}, -1, elements);
  if (kind === "node") addNode(ownId(id), attributes.lat, attributes.lon, tags, number, elements);
  else if (kind === "way") elements.add({ type: kind, id: ownId(id), refs: refs.map(ownId), tags }, number);
  else {
    const own = members.map((member) => ({ ...member, ref: ownId(member.ref) }));
    elements.add({ type: kind, id: ownId(id), members: own, tags }, number);
  }
}

const ownId = (id: number) => (id < 0 ? FIRST_OWN_ID - id : id);

/** A node without a position on Earth is as good as none: JOSM writes those that it did not download so. */
function addNode(
  id: number,
  lat: string | undefined,
  lon: string | undefined,
  tags: Record<string, string>,
  version: number,
  elements: Elements,
): void {
  const [latitude, longitude] = [lat, lon].map((text) => (text?.trim() ? Number(text) : Number.NaN));
  if (isCoordinate(latitude, longitude)) elements.add({ type: "node", id, latitude, longitude, tags }, version);
}
