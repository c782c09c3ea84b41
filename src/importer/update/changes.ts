import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isCoordinate } from "../../core/geo/coordinate.ts";
import { ImportError } from "../common/import-error.ts";
import { systemReason } from "../common/system-reason.ts";
import type { OsmElement } from "../osm/pbf/element.ts";
import { OsmXml, type XmlElement } from "../osm/xml/osm-xml.ts";

/** The change of an element. */
export interface Change {
  /** 0 where the file does not say it. */
  version: number;
  /** When it was created [ms since 1970]; undefined where the file does not say it. */
  time: number | undefined;
  /** As it is from now on; undefined: it was deleted. */
  element: OsmElement | undefined;
}

export type Kind = OsmElement["type"];

/** The newest change of each element: some 500 bytes each in memory, which holds a day of a country. */
export class Changes {
  readonly node = new Map<number, Change>();
  readonly way = new Map<number, Change>();
  readonly relation = new Map<number, Change>();

  get size(): number {
    return this.node.size + this.way.size + this.relation.size;
  }

  /** Of two changes of an element the higher version counts, of equal ones the later. */
  add(kind: Kind, id: number, change: Change): void {
    const before = this[kind].get(id);
    if (!before || change.version >= before.version) this[kind].set(id, change);
  }
}

/** The largest file of changes, unpacked [bytes]: a bomb is not a day of the planet. */
const MAX_UNPACKED_BYTES = 20e9;
const GZIP = 0x1f;

/**
 * Adds what an OsmChange file says (wiki.openstreetmap.org/wiki/OsmChange), .osc or .osc.gz, read piece by piece:
 *
 *     <osmChange version="0.6"><modify><node id="1" version="2" lat="…" lon="…"><tag k="…" v="…"/></node></modify> …
 *
 * @throws ImportError for what is broken, cut off, or something else; then nothing of it may be used
 */
export async function readChanges(path: string, into: Changes): Promise<void> {
  const reader = changeReader(path, into);
  const first = await firstByte(path);
  const text = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  try {
    const source = createReadStream(path, { highWaterMark: 1 << 18 });
    const take = async (pieces: AsyncIterable<Uint8Array>) => {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > MAX_UNPACKED_BYTES)
          throw new ImportError(`${basename(path)} unpacks to more than 20 GB: it is no file of changes.`);
        reader.write(text.decode(piece, { stream: true }));
      }
    };
    if (first === GZIP) await pipeline(source, createGunzip(), take);
    else await pipeline(source, take);
    reader.write(text.decode());
    reader.end();
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${basename(path)} is damaged or cut off. Fetch it again.`);
  }
}

async function firstByte(path: string): Promise<number> {
  try {
    for await (const piece of createReadStream(path, { end: 0 })) return (piece as Buffer)[0];
  } catch (error) {
    throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
  }
  throw new ImportError(`${basename(path)} is empty.`);
}

type Action = "create" | "modify" | "delete";
const isAction = (name: string): name is Action => name === "create" || name === "modify" || name === "delete";

function changeReader(path: string, changes: Changes): OsmXml {
  let action: Action | undefined;
  const xml: OsmXml = new OsmXml(path, "file of OpenStreetMap changes (.osc)", "osmChange", {
    open(name) {
      if (isAction(name)) action = name;
    },
    close(name) {
      if (name === action) action = undefined;
    },
    element(element) {
      const { kind, id, attributes, refs, members } = element;
      if (!action) throw xml.broken(`a <${kind}> stands outside of create, modify and delete`);
      if (id <= 0) throw xml.broken(`a ${kind} has the id "${id}"`);
      const wrong = [...refs, ...members.map(({ ref }) => ref)].find((ref) => ref <= 0);
      if (wrong !== undefined) throw xml.broken(`the ${kind} ${id} names "${wrong}"`);
      const { version = "0", timestamp = "" } = attributes;
      const time = Date.parse(timestamp);
      changes.add(kind, id, {
        version: Number.isSafeInteger(Number(version)) ? Math.max(0, Number(version)) : 0,
        time: Number.isFinite(time) ? time : undefined,
        element: action === "delete" ? undefined : elementOf(element, xml),
      });
    },
  });
  return xml;
}

/** Positions are kept to 1e-7 degrees, as in PBF files. */
function elementOf({ kind, id, attributes: { lat, lon }, refs, members, tags }: XmlElement, xml: OsmXml): OsmElement {
  if (kind === "way") return { type: "way", id, refs, tags };
  if (kind === "relation") return { type: "relation", id, members, tags };
  const [latitude, longitude] = [Number(lat), Number(lon)];
  if (lat === "" || lon === "" || !isCoordinate(latitude, longitude))
    throw xml.broken(`the node ${id} has the position "${lat}", "${lon}"`);
  return { type: "node", id, latitude, longitude, tags };
}
