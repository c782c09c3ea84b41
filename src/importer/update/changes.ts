import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import sax from "sax";
import { ImportError } from "../common/import-error.ts";
import type { OsmElement, OsmMember } from "../osm/pbf/element.ts";

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
  const reader = new ChangeReader(path, into);
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
    throw new ImportError(`${basename(path)} is damaged or cut off (${(error as Error).message}). Fetch it again.`);
  }
}

async function firstByte(path: string): Promise<number> {
  try {
    for await (const piece of createReadStream(path, { end: 0 })) return (piece as Buffer)[0];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ImportError(`Cannot read ${path}: ${code === "ENOENT" ? "there is no such file" : message}.`);
  }
  throw new ImportError(`${basename(path)} is empty.`);
}

const KINDS: ReadonlySet<string> = new Set<Kind>(["node", "way", "relation"]);

/** The element that is being read. */
interface Reading {
  kind: Kind;
  id: number;
  version: number;
  time: number | undefined;
  latitude: number;
  longitude: number;
  refs: number[];
  members: OsmMember[];
  tags: Record<string, string>;
}

/** No entities but XML's own five; the library's types do not know that option. */
const OPTIONS = { strictEntities: true, position: true };

class ChangeReader {
  readonly #name: string;
  readonly #changes: Changes;
  readonly #parser = sax.parser(true, OPTIONS);
  #action: "create" | "modify" | "delete" | undefined;
  #reading: Reading | undefined;
  #root = false;
  #whole = false;

  constructor(path: string, changes: Changes) {
    this.#name = basename(path);
    this.#changes = changes;
    this.#parser.onerror = (error) => {
      throw this.#broken(error.message.split("\n")[0]);
    };
    this.#parser.onopentag = ({ name, attributes }) => this.#open(name, attributes as Record<string, string>);
    this.#parser.onclosetag = (name) => this.#close(name);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    if (!this.#whole) throw this.#broken(this.#root ? "it is cut off" : "it holds no <osmChange>");
    this.#parser.close();
  }

  #broken(why: string): ImportError {
    return new ImportError(
      `${this.#name} is not a complete file of OpenStreetMap changes (.osc): ${why}, line ${this.#parser.line + 1}.`,
    );
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (!this.#root) {
      if (name !== "osmChange") throw this.#broken(`it begins with <${name}>`);
      this.#root = true;
    } else if (name === "create" || name === "modify" || name === "delete") this.#action = name;
    else if (KINDS.has(name)) this.#begin(name as Kind, attributes);
    else if (this.#reading) this.#part(this.#reading, name, attributes);
  }

  #begin(kind: Kind, { id, version = "0", timestamp, lat, lon }: Record<string, string>): void {
    if (!this.#action) throw this.#broken(`a <${kind}> stands outside of create, modify and delete`);
    const number = Number(id);
    if (!Number.isSafeInteger(number) || number <= 0) throw this.#broken(`a ${kind} has the id "${id}"`);
    const [latitude, longitude] = [Number(lat), Number(lon)];
    const placed = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    if (kind === "node" && this.#action !== "delete" && !(placed && lat !== "" && lon !== "")) {
      throw this.#broken(`the node ${id} has the position "${lat}", "${lon}"`);
    }
    const time = Date.parse(timestamp ?? "");
    this.#reading = {
      kind,
      id: number,
      latitude,
      longitude,
      refs: [],
      members: [],
      tags: {},
      version: Number.isSafeInteger(Number(version)) ? Math.max(0, Number(version)) : 0,
      time: Number.isFinite(time) ? time : undefined,
    };
  }

  #part(
    { kind, id, refs, members, tags }: Reading,
    name: string,
    { k, v, ref, type, role }: Record<string, string>,
  ): void {
    if (name === "tag") {
      if (k === undefined || v === undefined) throw this.#broken(`a tag of the ${kind} ${id} has no key or no value`);
      tags[k] = v;
      return;
    }
    const number = Number(ref);
    const wanted = (kind === "way" && name === "nd") || (kind === "relation" && name === "member");
    if (!wanted) return;
    if (!Number.isSafeInteger(number) || number <= 0) throw this.#broken(`the ${kind} ${id} names "${ref}"`);
    if (name === "nd") refs.push(number);
    else if (!KINDS.has(type)) throw this.#broken(`the relation ${id} has a member of the type "${type}"`);
    else members.push({ type: type as Kind, ref: number, role: role ?? "" });
  }

  #close(name: string): void {
    if (name === "osmChange") this.#whole = true;
    else if (name === this.#action) this.#action = undefined;
    else if (name === this.#reading?.kind) {
      const { kind, id, version, time } = this.#reading;
      const element = this.#action === "delete" ? undefined : elementOf(this.#reading);
      this.#changes.add(kind, id, { version, time, element });
      this.#reading = undefined;
    }
  }
}

/** Positions are kept to 1e-7 degrees, as in PBF files. */
function elementOf({ kind, id, latitude, longitude, refs, members, tags }: Reading): OsmElement {
  if (kind === "node") return { type: "node", id, latitude, longitude, tags };
  if (kind === "way") return { type: "way", id, refs, tags };
  return { type: "relation", id, members, tags };
}
