import { crc32, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { ProtobufWriter } from "../../../src/core/geo/bytes/protobuf.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { encodeBlock } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { shell } from "../osm/pbf-of.ts";

/** Files as other programs write them, and as they should not. */

export interface PbfOptions {
  features?: readonly string[];
  optional?: readonly string[];
  /** [west, east, north, south] in the unit of the format. */
  box?: readonly number[];
  blob?: (type: string, content: Uint8Array) => Buffer;
}

export const header = ({ features = ["OsmSchema-V0.6", "DenseNodes"], optional = [], box }: PbfOptions): Uint8Array => {
  const out = new ProtobufWriter();
  if (box) out.messageField(1, (inner) => void box.map((edge, i) => inner.signedField(i + 1, edge)));
  for (const feature of features) out.textField(4, feature);
  for (const feature of optional) out.textField(5, feature);
  return out.finish();
};

export const raw = (type: string, content: Uint8Array): Buffer => shell(type, 1, content);

/** A blob with its size, packed in the given field. */
export const packed =
  (field: number, pack: (bytes: Uint8Array) => Uint8Array, size?: number) =>
  (type: string, content: Uint8Array): Buffer => {
    const blob = new ProtobufWriter();
    blob.varintField(2, size ?? content.length);
    blob.bytesField(field, pack(content));
    const head = new ProtobufWriter();
    head.textField(1, type);
    head.varintField(3, blob.length);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    return Buffer.concat([length, head.finish(), blob.finish()]);
  };

export const zlib = packed(3, deflateSync);
export const zstd = packed(7, (bytes) => zstdCompressSync(bytes));
export const lz4 = packed(6, packLz4);

/** A PBF of blocks that are given as elements, or as bytes. */
export function pbf(blobs: readonly (readonly OsmElement[] | Uint8Array)[], options: PbfOptions = {}): Buffer {
  const { blob = zlib } = options;
  const contents = blobs.map((one) => (one instanceof Uint8Array ? one : encodeBlock(one)));
  return Buffer.concat([blob("OSMHeader", header(options)), ...contents.map((one) => blob("OSMData", one))]);
}

/** LZ4 of a greedy search for four equal bytes: what the unpacking is compared with. */
export function packLz4(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  const seen = new Map<number, number>();
  const length = (value: number) => {
    for (value -= 15; value >= 255; value -= 255) out.push(255);
    out.push(value);
  };
  const put = (from: number, to: number, back: number, match: number) => {
    const literals = to - from;
    out.push((Math.min(15, literals) << 4) | (back > 0 ? Math.min(15, match - 4) : 0));
    if (literals >= 15) length(literals);
    for (let i = from; i < to; i++) out.push(bytes[i]);
    if (back === 0) return;
    out.push(back & 255, back >> 8);
    if (match - 4 >= 15) length(match - 4);
  };
  let from = 0;
  for (let at = 0; at + 12 < bytes.length; ) {
    const key = (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)) * 256 + bytes[at + 3];
    const before = seen.get(key);
    seen.set(key, at);
    if (before === undefined || at - before > 65_535) {
      at++;
      continue;
    }
    let match = 4;
    while (at + match < bytes.length - 5 && bytes[before + match] === bytes[at + match]) match++;
    put(from, at, at - before, match);
    at += match;
    from = at;
  }
  put(from, bytes.length, 0, 0);
  return Buffer.from(out);
}

/** Ways with the places of their nodes, without the nodes that have no tags (osmium add-locations-to-ways). */
export function withPlacesOnWays(
  elements: readonly OsmElement[],
  blob = zlib,
  feature: "features" | "optional" = "optional",
): Buffer {
  const nodes = new Map(elements.flatMap((one) => (one.type === "node" ? [[one.id, one] as const] : [])));
  const block = new ProtobufWriter();
  const strings = [""];
  const number = (text: string) => (strings.includes(text) ? strings.indexOf(text) : strings.push(text) - 1);
  const group = new ProtobufWriter();
  for (const way of elements) {
    if (way.type !== "way") continue;
    group.messageField(3, (out) => {
      out.varintField(1, way.id);
      out.packedField(2, Object.keys(way.tags).map(number));
      out.packedField(3, Object.values(way.tags).map(number));
      out.deltaField(8, way.refs);
      const place = (ref: number) => nodes.get(ref) ?? { latitude: 214.7483647, longitude: 214.7483647 };
      out.deltaField(
        9,
        way.refs.map((ref) => Math.round(place(ref).latitude * 1e7)),
      );
      out.deltaField(
        10,
        way.refs.map((ref) => Math.round(place(ref).longitude * 1e7)),
      );
    });
  }
  block.messageField(1, (table) => void strings.map((text) => table.textField(1, text)));
  block.bytesField(2, group.finish());
  const tagged = elements.filter((one) => one.type === "node" && Object.keys(one.tags).length > 0);
  const relations = elements.filter(({ type }) => type === "relation");
  const known = { features: ["OsmSchema-V0.6", "DenseNodes"], optional: ["Sort.Type_then_ID"] };
  const options = { ...known, [feature]: [...known[feature], "LocationsOnWays"], blob };
  return pbf([tagged, block.finish(), relations], options);
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("\n", "&#10;");

interface XmlOptions {
  declaration?: string;
  /** Put after <osm>. */
  before?: string;
  after?: string;
  line?: string;
  attributes?: (element: OsmElement) => string;
}

export function xml(elements: readonly OsmElement[], options: XmlOptions = {}): string {
  const { declaration = '<?xml version="1.0" encoding="UTF-8"?>', before = "", after = "", line = "\n" } = options;
  const { attributes = () => ' version="1"' } = options;
  const rows = elements.map((one) => {
    const tags = Object.entries(one.tags).map(([k, v]) => `<tag k="${escaped(k)}" v="${escaped(v)}"/>`);
    const place = one.type === "node" ? ` lat="${one.latitude}" lon="${one.longitude}"` : "";
    const inner =
      one.type === "way"
        ? one.refs.map((ref) => `<nd ref="${ref}"/>`)
        : one.type === "relation"
          ? one.members.map(({ type, ref, role }) => `<member type="${type}" ref="${ref}" role="${role}"/>`)
          : [];
    return `<${one.type} id="${one.id}"${place}${attributes(one)}>${[...inner, ...tags].join(line)}</${one.type}>`;
  });
  return [declaration, '<osm version="0.6">', before, ...rows, after, "</osm>", ""].join(line);
}

/** A ZIP archive of deflated entries. @param sizes what its directory says instead of the true size */
export function zip(entries: readonly [name: string, content: Uint8Array][], sizes?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const bytes = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(sizes ?? content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** A small file that becomes a large one. */
export const gzipBomb = (start: string, fill: string, megabytes: number): Buffer =>
  gzipSync(Buffer.concat([Buffer.from(start), Buffer.alloc(megabytes << 20, fill)]));
