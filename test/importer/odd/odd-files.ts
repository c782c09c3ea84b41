import { deflateSync, gzipSync } from "node:zlib";
import { ProtobufWriter } from "../../../src/core/geo/bytes/protobuf.ts";
import type { OsmElement, OsmNode } from "../../../src/importer/osm/pbf/element.ts";
import { encodeBlock } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { seeded } from "../../core/routing/graph/random-town.ts";
import { samples } from "../../support/night.ts";
import { gzipBomb, header, lz4, packed, pbf, raw, withPlacesOnWays, xml, zip, zlib, zstd } from "./odd-bytes.ts";
import { node, nodes, relations, town, way, ways } from "./odd-town.ts";

/** What becomes of a file: as the town itself, imported, refused (with these words), or one of both without harm. */
type Outcome = "same" | "import" | "either" | RegExp;

export interface OddFile {
  group: string;
  name: string;
  bytes: Buffer;
  outcome: Outcome;
}

export function random(seed: number): (below: number) => number {
  const next = seeded(seed);
  return (below) => Math.floor(next() * below);
}

const SORTED = { optional: ["Sort.Type_then_ID"] };
const whole = pbf([nodes, ways, relations], SORTED);
const written = xml(town);
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const far = (...elements: OsmElement[]) =>
  pbf([...elements.map((one) => [one])].concat([[...nodes], [...ways], [...relations]]));
const withMore = (...elements: OsmElement[]) => pbf([nodes, ways, relations, ...elements.map((one) => [one])]);

type Entry = [name: string, bytes: Uint8Array | string, outcome: Outcome];

/** The same data in forms that programs write. */
const forms: Entry[] = [
  ["plain.osm.pbf", whole, "same"],
  ["named.bin", whole, "same"],
  ["raw.osm.pbf", pbf([nodes, ways, relations], { ...SORTED, blob: raw }), "same"],
  ["lz4.osm.pbf", pbf([nodes, ways, relations], { ...SORTED, blob: lz4 }), "same"],
  ["zstd.osm.pbf", pbf([nodes, ways, relations], { ...SORTED, blob: zstd }), "same"],
  ["packed.osm.pbf.gz", gzipSync(whole), "same"],
  ["unsorted.osm.pbf", pbf([relations, ways, nodes]), "same"],
  ["backwards.osm.pbf", pbf([[...nodes].reverse(), ways, relations]), "same"],
  ["twice.osm.pbf", pbf([nodes, nodes, ways, ways, relations]), "same"],
  [
    "many-blobs.osm.pbf",
    pbf(
      town.map((one) => [one]),
      SORTED,
    ),
    "same",
  ],
  ["empty-blocks.osm.pbf", pbf([new Uint8Array(), nodes, new Uint8Array(), ways, relations, new Uint8Array()]), "same"],
  [
    "unknown-blob.osm.pbf",
    Buffer.concat([pbf([nodes]), zlib("OSMIndex", Buffer.from("?")), pbf([ways, relations]).subarray(pbf([]).length)]),
    "same",
  ],
  ["locations.osm.pbf", withPlacesOnWays(town), "same"],
  ["locations-required.osm.pbf", withPlacesOnWays(town, zlib, "features"), "same"],
  ["locations-lz4.osm.pbf", withPlacesOnWays(town, lz4), "same"],
  ["locations-and-nodes.osm.pbf", pbf([nodes, ways, relations], { optional: ["LocationsOnWays"] }), "same"],
  ["town.osm", written, "same"],
  ["town.osm.gz", gzipSync(written), "same"],
  ["town.xml", written, "same"],
  ["unnamed", written, "same"],
  ["xml-called.osm.pbf", written, "same"],
  ["crlf.osm", xml(town, { line: "\r\n" }), "same"],
  ["one-line.osm", xml(town, { line: "" }), "same"],
  ["bom.osm", `\ufeff${written}`, "same"],
  ["utf16.osm", utf16(xml(town, { declaration: '<?xml version="1.0" encoding="UTF-16"?>' })), "same"],
  ["no-declaration.osm", xml(town, { declaration: "" }), "same"],
  ["comment.osm", xml(town, { declaration: "<!-- by hand -->" }), "same"],
  ["unsorted.osm", xml([...town].reverse()), "same"],
  ["overpass.osm", xml(town, { before: '<note>ODbL</note><meta osm_base="2026-11-01T00:00:00Z"/>' }), "same"],
  ["out-geom.osm", outGeom(), "same"],
  [
    "josm.osm",
    xml([...town, way(-5, [1, 2], {})], {
      attributes: ({ id }) =>
        id < 0 ? " action='delete' visible='true'" : " action='modify' visible='true' version='3'",
    }),
    "same",
  ],
  ["incomplete.osm", written.replace("</osm>", '<node id="900" version="1"/></osm>'), "same"],
  [
    "nan.osm",
    written.replace("</osm>", '<node id="900" lat="NaN" lon="8.7"><tag k="shop" v="x"/></node></osm>'),
    "same",
  ],
  ["infinite.osm", written.replace("</osm>", '<node id="900" lat="Infinity" lon="1e999"/></osm>'), "same"],
  ["deleted.osm", written.replace("</osm>", '<node id="900" visible="false" version="2"/></osm>'), "same"],
];

function outGeom(): string {
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const tagged = nodes.filter(({ tags }) => Object.keys(tags).length > 0);
  return xml([...tagged, ...ways, ...relations]).replace(/<nd ref="(\d+)"\/>/g, (_, ref: string) => {
    const { latitude, longitude } = byId.get(Number(ref)) as OsmNode;
    return `<nd ref="${ref}" lat="${latitude}" lon="${longitude}"/>`;
  });
}

/** Nodes far away, and ways to them: they leave no trace. */
const strays: Entry[] = [
  ["null-island.osm.pbf", far(node(900, 0, 0, { amenity: "cafe", name: "Null" })), "same"],
  [
    "null-island-way.osm.pbf",
    withMore(node(900, 0, 0), way(901, [900, 900], { highway: "residential", name: "Null" })),
    "same",
  ],
  ["swapped.osm.pbf", far(node(900, 8.7, 49.4, { shop: "yes", name: "Swapped" })), "same"],
  ["north-pole.osm.pbf", far(node(900, 90, 0, { shop: "yes", name: "N" })), "same"],
  ["south-pole.osm.pbf", far(node(900, -90, 12, { shop: "yes", name: "S" })), "same"],
  ["east.osm.pbf", far(node(900, 49.4, 180, { shop: "yes", name: "E" })), "same"],
  ["west.osm.pbf", far(node(900, 49.4, -180, { shop: "yes", name: "W" })), "same"],
  ["corner.osm.pbf", far(node(900, -90, -180, { shop: "yes", name: "C" })), "same"],
  ["minus.osm.pbf", far(node(900, -49.4, 8.7, { shop: "yes", name: "M" })), "same"],
  ["minus-both.osm.pbf", far(node(900, -49.4, -8.7, { shop: "yes", name: "M" })), "same"],
  ["no-point.osm.pbf", far(node(900, 49.4e-7, 8.7e-7, { shop: "yes", name: "P" })), "same"],
  ["off-earth.osm.pbf", far(node(900, 120, 8.7, { shop: "yes", name: "Off" })), "same"],
  ["far-off-earth.osm.pbf", far(node(900, 8.7, 400, { shop: "yes", name: "Off" })), "same"],
  [
    "several.osm.pbf",
    far(node(900, 0, 0, { shop: "a" }), node(901, 8.7, 49.4, { shop: "b" }), node(902, 90, 0)),
    "same",
  ],
  ["to-null.osm.pbf", withMore(node(900, 0, 0), way(901, [1, 900], { highway: "primary", name: "Long" })), "import"],
  [
    "pole-to-pole.osm.pbf",
    withMore(node(900, 90, 0), node(901, -90, 0), way(902, [900, 901], { highway: "primary" })),
    "import",
  ],
  [
    "around.osm.pbf",
    withMore(node(900, 49.4, 180), node(901, 49.4, -180), way(902, [1, 900, 901, 2], { natural: "coastline" })),
    "import",
  ],
  ["ferry.osm.pbf", withMore(node(900, 40, -74), way(901, [1, 900], { route: "ferry", name: "Ocean" })), "import"],
  ["area-to-null.osm.pbf", withMore(node(900, 0, 0), way(901, [1, 2, 900, 1], { building: "yes" })), "import"],
  [
    "two-nodes.osm.pbf",
    pbf([[node(1, 41.9, 12.5), node(2, 0, 0)], [way(5, [1, 2], { highway: "residential" })]]),
    "import",
  ],
  [
    "two-poles.osm.pbf",
    pbf([
      [node(1, 41.9, 12.5, { shop: "x", name: "x" }), node(3, 89.9999, 179.9999), node(4, -90, -180)],
      [way(5, [3, 4, 1], { highway: "residential" })],
    ]),
    "import",
  ],
  [
    "only-poles.osm.pbf",
    pbf([[node(3, 90, 180), node(4, -90, -180)], [way(5, [3, 4], { highway: "residential" })]]),
    "import",
  ],
  ["only-null.osm.pbf", pbf([[node(3, 0, 0, { shop: "x", name: "x" })]]), "import"],
  [
    "two-towns.osm.pbf",
    withMore(...nodes.map((one) => ({ ...one, id: one.id + 1000, longitude: one.longitude + 100 }))),
    "import",
  ],
  [
    "road-between.osm.pbf",
    withMore(
      ...nodes.map((one) => ({ ...one, id: one.id + 1000, longitude: one.longitude + 100 })),
      way(999, [1, 1001], { highway: "motorway" }),
    ),
    "import",
  ],
  ["header-nonsense.osm.pbf", pbf([nodes, ways, relations], { box: [-180e9, 180e9, 90e9, -90e9] }), "same"],
  ["header-elsewhere.osm.pbf", pbf([nodes, ways, relations], { box: [100e9, 101e9, 2e9, 1e9] }), "same"],
  ["header-inverted.osm.pbf", pbf([nodes, ways, relations], { box: [10e9, 8e9, 48e9, 50e9] }), "import"],
];

/** Elements as they come. */
const elements: Entry[] = [
  ["missing-nodes.osm.pbf", withMore(way(900, [1, 5000, 5001, 2], { highway: "path" })), "import"],
  ["one-node-way.osm.pbf", withMore(way(900, [1], { highway: "path" })), "import"],
  ["no-node-way.osm.pbf", withMore(way(900, [], { highway: "path" })), "import"],
  ["same-node-way.osm.pbf", withMore(way(900, [1, 1, 1, 1], { highway: "path" })), "import"],
  ["only-ways.osm.pbf", pbf([ways]), "import"],
  ["only-relations.osm.pbf", pbf([relations]), "import"],
  ["only-a-node.osm.pbf", pbf([[node(1, 49.4, 8.7)]]), "import"],
  [
    "long-way.osm.pbf",
    withMore(
      way(
        900,
        Array.from({ length: 20_000 }, (_, i) => 1 + (i % 36)),
        { highway: "path" },
      ),
    ),
    "import",
  ],
  ["cycle.osm.pbf", withMore(cycle(900, 901), cycle(901, 900)), "import"],
  ["own-member.osm.pbf", withMore(cycle(900, 900)), "import"],
  ["deep.osm.pbf", pbf([nodes, ways, Array.from({ length: 2000 }, (_, i) => cycle(1000 + i, 1001 + i))]), "import"],
  [
    "member-gone.osm.pbf",
    withMore({
      type: "relation",
      id: 900,
      members: [{ type: "way", ref: 77_777, role: "outer" }],
      tags: { type: "multipolygon", landuse: "forest" },
    }),
    "import",
  ],
  [
    "no-members.osm.pbf",
    withMore({
      type: "relation",
      id: 900,
      members: [],
      tags: { type: "boundary", boundary: "administrative", admin_level: "8", name: "None" },
    }),
    "import",
  ],
  [
    "open-boundary.osm.pbf",
    withMore({
      type: "relation",
      id: 900,
      members: [{ type: "way", ref: 200, role: "outer" }],
      tags: { type: "boundary", boundary: "administrative", admin_level: "8", name: "Open" },
    }),
    "import",
  ],
  ["bow-tie.osm.pbf", withMore(way(900, [1, 8, 2, 7, 1], { building: "yes" })), "import"],
  [
    "many-tags.osm.pbf",
    withMore(
      node(900, 49.4011, 8.7011, Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`key${i}`, `${i}`]))),
    ),
    "import",
  ],
  ["long-tag.osm.pbf", withMore(node(900, 49.4011, 8.7011, { shop: "x", name: "n".repeat(200_000) })), "import"],
  [
    "scripts.osm.pbf",
    withMore(node(900, 49.4011, 8.7011, { shop: "x", name: "متجر ทดสอบ 店 🏪 \u202e\u0000\u0007" })),
    "import",
  ],
  [
    "no-utf8.osm.pbf",
    pbf([Buffer.from(encodeBlock(nodes)).map((byte) => (byte === 0xc3 ? 0xff : byte)), ways, relations]),
    "import",
  ],
  ["empty-tags.osm.pbf", withMore(node(900, 49.4011, 8.7011, { "": "", name: "", shop: "" })), "import"],
  [
    "proto.osm.pbf",
    withMore(node(900, 49.4011, 8.7011, { __proto__: "x", constructor: "y", shop: "z", name: "P" } as never)),
    "import",
  ],
  ["large-ids.osm.pbf", withMore(node(2 ** 34, 49.4011, 8.7011, { shop: "x", name: "L" })), "import"],
  ["huge-ids.osm.pbf", withMore(node(2 ** 52, 49.4011, 8.7011)), /id 4503599627370496 is outside/],
  ["huge-refs.osm.pbf", withMore(way(900, [1, 2 ** 52], { highway: "path" })), /id 4503599627370496 is outside/],
  ["negative.osm.pbf", withMore(node(-1, 49.4011, 8.7011)), /id -1 is outside.*Renumber/],
  ["negative-way.osm.pbf", pbf([nodes, ways, negativeId(3)]), /way\. The id -7 is outside/],
  ["negative-relation.osm.pbf", pbf([nodes, ways, negativeId(4)]), /relation\. The id -7 is outside/],
  ["negative-refs.osm.pbf", withMore(way(900, [1, -3], { highway: "path" })), /id -3 is outside/],
  ["zero-id.osm.pbf", withMore(node(0, 49.4011, 8.7011)), "either"],
  [
    "negative.osm",
    xml([
      ...town,
      node(-1, 49.4011, 8.7011, { shop: "x", name: "New" }),
      node(-2, 49.4012, 8.7012),
      way(-3, [-1, -2, 1], { highway: "path" }),
    ]),
    "import",
  ],
  ["huge-ids.osm", xml([...town, node(2 ** 40, 49.4, 8.7)]), /id 1099511627776 is outside/],
  ["zero.osm", xml([...town, node(0, 49.4, 8.7)]), /id 0 is outside/],
  ["history.osm", xml([...town, ...town], { attributes: versions() }), /several versions .* history file/],
  ["history.osh.pbf", pbf([nodes], { features: ["OsmSchema-V0.6", "HistoricalInformation"] }), /history file/],
  ["word-id.osm", written.replace('id="100"', 'id="abc"'), /a node has the id "abc"/],
  ["no-id.osm", written.replace('id="100"', ""), /a node has the id/],
  ["fraction-ref.osm", written.replace('ref="7"', 'ref="7.5"'), /names "7.5"/],
  ["member-type.osm", written.replace('type="way"', 'type="road"'), /member of the type "road"/],
  ["no-value.osm", written.replace(' v="cafe"', ""), /no key or no value/],
  ["swapped.osm", xml([...town, node(900, 8.7, 49.4, { shop: "x", name: "S" })]), "same"],
];

function cycle(id: number, other: number): OsmElement {
  return {
    type: "relation",
    id,
    members: [
      { type: "relation", ref: other, role: "" },
      { type: "way", ref: 204, role: "outer" },
    ],
    tags: { type: "multipolygon", landuse: "grass", name: "Cycle" },
  };
}

/** An element of a kind with the id −7, as int64 is written: ten bytes. */
function negativeId(kind: number): Uint8Array {
  const out = new ProtobufWriter();
  out.messageField(1, (table) => void table.textField(1, ""));
  out.messageField(2, (group) => {
    group.messageField(kind, (one) => void one.raw(Buffer.from("08f9ffffffffffffffff01", "hex")));
  });
  return out.finish();
}

function versions(): () => string {
  let count = 0;
  return () => ` version="${count++ < town.length ? 1 : 2}"`;
}

const page = "<!DOCTYPE html><html><head><title>404 Not Found</title></head><body>Not Found</body></html>";

/** Something else, or broken. */
const wrong: Entry[] = [
  ["empty.osm.pbf", "", /is empty/],
  ["empty.osm", "", /is empty/],
  ["zeros.osm.pbf", Buffer.alloc(64), /not an OpenStreetMap PBF/],
  ["header-only.osm.pbf", pbf([]), /nothing in it to import/],
  ["empty-data.osm.pbf", pbf([new Uint8Array()]), /nothing in it to import/],
  ["empty-xml.osm", xml([]), /nothing in it to import/],
  ["byte.osm.pbf", "x", /not an OpenStreetMap PBF/],
  ["page.osm.pbf", page, /web page/],
  ["page.osm", `\n ${page.toLowerCase()}`, /web page/],
  ["xhtml.osm", `<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>`, /web page/],
  ["page.osm.gz", gzipSync(page), /web page/],
  ["page.geojson", page, /web page/],
  ["error.json", '{"error":"quota exceeded"}', /JSON/],
  ["overpass.json", '{\n "version": 0.6,\n "elements": [ {"type":"node","id":1} ]\n}', /out:xml/],
  ["text.osm.pbf", "hello", /not an OpenStreetMap PBF/],
  ["bz2.osm.bz2", Buffer.concat([Buffer.from("BZh91AY&SY"), Buffer.alloc(50, 7)]), /bzip2.*bunzip2/],
  ["xz.osm.xz", Buffer.from("fd377a585a000004", "hex"), /unxz/],
  ["zst.osm.zst", Buffer.from("28b52ffd00000000", "hex"), /unzstd/],
  ["seven.7z", Buffer.from("377abcaf271c0004", "hex"), /7z archive/],
  ["rar.rar", "Rar!\x1a\x07\x00", /RAR/],
  ["o5m.o5m", Buffer.from("ffe0046f356d32fe", "hex"), /osmconvert/],
  ["changes.osc", '<?xml version="1.0"?>\n<osmChange version="0.6"></osmChange>', /--update/],
  ["changes.osc.gz", gzipSync('<osmChange version="0.6"></osmChange>'), /--update/],
  ["sqlite.gpkg", "SQLite format 3\0", /SQLite/],
  ["tiles.pmtiles", "PMTiles\x03", /--source elevation/],
  ["image.osm.pbf", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), /not an OpenStreetMap PBF/],
  ["photo.osm.pbf", Buffer.from("ffd8ffe000104a46494600", "hex"), /not an OpenStreetMap PBF/],
  ["paper.osm.pbf", "%PDF-1.7\n%\xe2", /not an OpenStreetMap PBF/],
  ["program.osm.pbf", Buffer.from("7f454c46020101000000", "hex"), /not an OpenStreetMap PBF/],
  ["track.gpx", '<?xml version="1.0"?><gpx version="1.1"><wpt lat="1" lon="2"/></gpx>', /begins with <gpx>/],
  ["shapes.kml", '<?xml version="1.0"?><kml/>', /begins with <kml>/],
  ["table.csv", "name,lat,lon\nx,1,2\n", /lacks the columns/],
  ["table16.csv", utf16("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Main\n"), /UTF-16LE|not UTF-8|lacks/],
  ["remark.osm", xml(town, { after: "<remark> runtime error: Query timed out </remark>" }), /not complete: the server/],
  [
    "adiff.osm",
    '<osm version="0.6"><action type="modify"><old></old></action></osm>',
    /differences between two moments/,
  ],
  ["rubbish.osm", "<osm><node id='1' lat='1' lon='2'", /cut off/],
  ["unclosed.osm", written.replace("</way>", ""), /not a complete OpenStreetMap XML/],
  ["entities.osm", written.replace("Blue Cup", "&bomb;"), /not well-formed/],
  [
    "laughs.osm",
    `<!DOCTYPE osm [<!ENTITY a "${"x".repeat(1000)}"><!ENTITY b "&a;&a;&a;">]>${written.slice(written.indexOf("<osm")).replace("Blue Cup", "&b;")}`,
    /not well-formed|not a complete/,
  ],
  ["after.osm", `${written}<osm></osm>`, /not well-formed|not a complete/],
  ["blanks.osm", `<?xml version="1.0"?>${" ".repeat(3 << 20)}<osm/>`, /holds no <osm>/],
  ["latin1.osm", Buffer.from(written.replaceAll("“Ähre” &amp; Söhne", "Ähre"), "latin1"), /not UTF-8/],
  [
    "latin1-said.osm",
    Buffer.from(
      xml(town, { declaration: '<?xml version="1.0" encoding="ISO-8859-1"?>' }).replaceAll(/[“”]/g, "'"),
      "latin1",
    ),
    "import",
  ],
  ["encoding.osm", xml(town, { declaration: '<?xml version="1.0" encoding="EBCDIC-37"?>' }), /unknown here/],
  ["gz-in-gz.osm.gz", gzipSync(gzipSync(written)), /packed twice/],
  ["gz-of-nothing.osm.gz", gzipSync(""), /is empty/],
  ["gz-header.osm.gz", gzipSync(written).subarray(0, 10), /cannot be unpacked/],
  ["gz-tail.osm.gz", Buffer.concat([gzipSync(written), Buffer.from("tail")]), "either"],
  ["gz-twice.osm.gz", Buffer.concat([gzipSync(written.slice(0, 500)), gzipSync(written.slice(500))]), "same"],
  ["zeros.osm.gz", gzipBomb("<osm>", "\0", 64), /200 times/],
  ["blanks.osm.gz", gzipBomb("<osm>", " ", 64), /200 times/],
  ["nodes.osm.gz", gzipBomb("<osm>", '<node id="1" lat="1" lon="2"/>', 64), /200 times/],
  ["lines.geojson.gz", gzipBomb("", '{"type":"Feature"}\n', 64), /200 times/],
  ["no.zip", Buffer.from("PK\x05\x06".padEnd(22, "\0"), "latin1"), /empty ZIP/],
  [
    "bomb.zip",
    zip([["us/a.csv", Buffer.concat([Buffer.from("LON,LAT,NUMBER,STREET\n"), Buffer.alloc(64 << 20, "1")])]]),
    /200 times/,
  ],
  ["lie.zip", zip([["us/a.csv", Buffer.from("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Main\n")]], 3), /damaged/],
  ["other.zip", zip([["readme.txt", Buffer.from("hello")]]), /no addresses/],
  ["up.zip", zip([["../../../etc/a.csv", Buffer.from("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Main\n")]]), "import"],
  ["cut.zip", zip([["us/a.csv", Buffer.from("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Main\n")]]).subarray(0, 70), /damaged/],
  ["feature.osm.pbf", pbf([nodes], { features: ["OsmSchema-V0.6", "Magic"] }), /the PBF feature "Magic"/],
  ["lzma.osm.pbf", pbf([nodes], { blob: packed(4, (bytes) => bytes) }), /with lzma/],
  ["bzip2.osm.pbf", pbf([nodes], { blob: packed(5, (bytes) => bytes) }), /unknown here/],
  [
    "lz4-broken.osm.pbf",
    pbf([nodes], { blob: packed(6, (bytes) => Buffer.from(bytes).fill(0xff, 10)) }),
    /damaged near byte/,
  ],
  [
    "lz4-bomb.osm.pbf",
    pbf([nodes], {
      blob: packed(
        6,
        () => Buffer.concat([Buffer.from([0x1f, 7, 1, 0]), Buffer.alloc(1 << 20, 255), Buffer.from([0])]),
        1 << 20,
      ),
    }),
    /damaged near byte/,
  ],
  ["lz4-size.osm.pbf", pbf([nodes], { blob: packed(6, (bytes) => bytes, 2 ** 40) }), /damaged near byte/],
  ["zstd-broken.osm.pbf", pbf([nodes], { blob: packed(7, (bytes) => bytes) }), /damaged near byte/],
  ["zlib-broken.osm.pbf", pbf([nodes], { blob: packed(3, (bytes) => bytes) }), /damaged near byte/],
  ["size.osm.pbf", pbf([nodes], { blob: packed(3, (bytes) => deflateSync(bytes), 5) }), /wrong size/],
  [
    "bomb.osm.pbf",
    Buffer.concat([pbf([]), packed(3, () => deflateSync(Buffer.alloc(64 << 20)))("OSMData", Buffer.alloc(8))]),
    /32 MiB/,
  ],
  ["header-bomb.osm.pbf", packed(3, () => deflateSync(Buffer.alloc(64 << 20)))("OSMHeader", Buffer.alloc(8)), /32 MiB/],
  [
    "large-blob.osm.pbf",
    Buffer.concat([pbf([]), Buffer.from("0000000d0a074f534d4461746118ffffff7f", "hex")]),
    /damaged|32 MiB|cut off/,
  ],
  ["no-header.osm.pbf", whole.subarray(pbf([], SORTED).length), /not an OpenStreetMap PBF/],
  ["two-headers.osm.pbf", Buffer.concat([whole, whole]), "same"],
  ["no-blob.osm.pbf", Buffer.concat([whole, Buffer.from("0000000b0a074f534d446174611800", "hex")]), /damaged|empty/],
  ["tail.osm.pbf", Buffer.concat([whole, Buffer.from("xyz")]), /cut off|damaged/],
  ["tail-page.osm.pbf", Buffer.concat([whole, Buffer.from(page)]), /damaged|cut off/],
  ["strings.osm.pbf", pbf([strangeStrings()]), /damaged near byte/],
  ["dense.osm.pbf", pbf([unequalColumns()]), "either"],
  ["granularity.osm.pbf", pbf([scaled(0)]), "either"],
  ["large-granularity.osm.pbf", pbf([scaled(2 ** 40)]), "either"],
  ["offset.osm.pbf", pbf([scaled(100, 5e18)]), "either"],
  [
    "no-size-header.osm.pbf",
    Buffer.concat([raw("OSMHeader", header({ features: [] })), whole.subarray(pbf([], SORTED).length)]),
    "same",
  ],
];

/** A way whose tags are strings that are not in the table. */
function strangeStrings(): Uint8Array {
  const out = new ProtobufWriter();
  out.messageField(1, (table) => void table.textField(1, ""));
  out.messageField(2, (group) => {
    group.messageField(3, (one) => {
      one.varintField(1, 5);
      one.packedField(2, [700]);
      one.packedField(3, [900_000]);
      one.deltaField(8, [1, 2]);
    });
  });
  return out.finish();
}

function unequalColumns(): Uint8Array {
  const out = new ProtobufWriter();
  out.messageField(1, (table) => void table.textField(1, ""));
  out.messageField(2, (group) => {
    group.messageField(2, (dense) => {
      dense.deltaField(1, [1, 2, 3]);
      dense.deltaField(8, [494_000_000]);
      dense.deltaField(9, [87_000_000, 87_000_001, 87_000_002]);
    });
  });
  return out.finish();
}

function scaled(granularity: number, offset = 0): Uint8Array {
  const out = new ProtobufWriter();
  out.raw(encodeBlock(nodes));
  out.varintField(17, granularity);
  if (offset > 0) out.varintField(19, Math.min(offset, Number.MAX_SAFE_INTEGER));
  return out.finish();
}

const FEATURE = (number: number, more = "") =>
  `{"type":"Feature","properties":{"hash":"h${number}","number":"${number}","street":"MAIN ST","unit":"","city":"Ödham","district":"","region":"","postcode":"1","id":""},"geometry":{"type":"Point","coordinates":[${8.7 + number / 1e4},49.4]}${more}}`;
const lines = Array.from({ length: 20 }, (_, i) => FEATURE(i + 1));
const features = `${lines.join("\n")}\n`;

const addresses: Entry[] = [
  ["a.geojson", features, "import"],
  ["a.geojson.gz", gzipSync(features), "import"],
  ["called.txt", features, "import"],
  ["crlf.geojson", lines.join("\r\n"), "import"],
  ["bom.geojson", `\ufeff${features}`, "import"],
  ["sequence.geojsons", lines.map((line) => `\x1e${line}\n`).join(""), "import"],
  ["blank.geojson", `\n\n${lines.join("\n\n")}`, "import"],
  ["collection.geojson", `{"type":"FeatureCollection","name":"a","features":[\n${lines.join(",\n")}\n]}\n`, "import"],
  ["one-line.geojson", `{"type":"FeatureCollection","features":[${lines.join(",")}]}`, "import"],
  [
    "gdal.geojson",
    `{\n"type": "FeatureCollection",\n"name": "a",\n"crs": { "type": "name" },\n"features": [\n${lines.join(",\n")}\n]\n}\n`,
    "import",
  ],
  ["cut.geojson", features.slice(0, -60), "import"],
  ["no-geometry.geojson", `${features}${FEATURE(30).replace(/"geometry":.*/, '"geometry":null}')}`, "import"],
  ["polygon.geojson", `${features}${FEATURE(30).replace('"Point"', '"Polygon"')}`, "import"],
  ["words.geojson", `${features}${FEATURE(30).replace("49.4]", '"north"]')}`, "import"],
  ["null.geojson", `${features}${FEATURE(30).replace('"number":"30"', '"number":null')}`, "import"],
  ["quotes.geojson", features.replace("MAIN ST", 'MAIN \\"A, B\\" ST'), "import"],
  [
    "a.zip",
    zip([
      ["us/a-addresses-city.geojson", Buffer.from(features)],
      ["us/a-addresses-city.geojson.meta", Buffer.from('{"license":"CC0"}')],
    ]),
    "import",
  ],
  [
    "both.zip",
    zip([
      ["us/a.geojson", Buffer.from(features)],
      ["us/b.csv", Buffer.from("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Main\n")],
      [
        "us/c-buildings-city.geojson",
        Buffer.from('{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[]}}'),
      ],
    ]),
    "import",
  ],
  [
    "meta.zip",
    zip([
      ["us/a.geojson", Buffer.from(features)],
      ["us/a.geojson.meta", Buffer.from("not json")],
    ]),
    "import",
  ],
  ["dark.zip", zip([["us/Ä ö.geojson", Buffer.from(features)]]), "import"],
  ["broken.geojson", `${FEATURE(1)}\n{"type":"Feature","properties":\n${FEATURE(2)}\n`, /line 2 is no GeoJSON feature/],
  ["geometry.geojson", `${FEATURE(1)}\n{"type":"Point","coordinates":[1,2]}\n`, /line 2 is no GeoJSON feature/],
  ["list.geojson", `${FEATURE(1)}\n[1,2]\n`, /line 2 is no GeoJSON feature/],
  [
    "buildings.geojson",
    '{"type":"Feature","properties":{"height":3},"geometry":{"type":"Polygon","coordinates":[]}}',
    /without addresses/,
  ],
  ["latin1.geojson", Buffer.from(features, "latin1"), /not UTF-8/],
  ["latin1.csv", Buffer.from("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Straße\n", "latin1"), /not UTF-8/],
  ["header.csv", "LON,LAT,NUMBER,STREET\n", /nothing in it to import/],
  ["nowhere.csv", "LON,LAT,NUMBER,STREET\n,,1,Main\n", /nothing in it to import/],
  ["nowhere.geojson", FEATURE(1).replace(/"geometry":.*/, '"geometry":null}'), /nothing in it to import/],
  ["off-earth.csv", "LON,LAT,NUMBER,STREET\n8.7,249.4,1,Main\n", /nothing in it to import/],
  ["a.csv.gz", gzipSync("LON,LAT,NUMBER,STREET\n8.7,49.4,1,Main\n"), "import"],
  ["cut.geojson.gz", gzipSync(features).subarray(0, 150), /cannot be unpacked/],
];

/** Whole files, cut and with other bits. */
function damaged(): Entry[] {
  const pick = random(53);
  const sources: [string, Buffer][] = [
    ["x.osm.pbf", whole],
    ["raw.osm.pbf", pbf([nodes, ways, relations], { blob: raw })],
    ["lz4.osm.pbf", pbf([nodes, ways, relations], { blob: lz4 })],
    ["x.osm", Buffer.from(written)],
    ["x.osm.gz", gzipSync(written)],
    ["x.geojson", Buffer.from(features)],
    ["x.zip", zip([["us/a.geojson", Buffer.from(features)]])],
    ["locations.osm.pbf", withPlacesOnWays(town, raw)],
  ];
  return sources.flatMap(([name, bytes]) => [
    ...Array.from(
      { length: samples(3, 12) },
      (_, i): Entry => [`cut-${i}-${name}`, bytes.subarray(0, 1 + pick(bytes.length - 1)), "either"],
    ),
    ...Array.from({ length: samples(4, 16) }, (_, i): Entry => {
      const other = Buffer.from(bytes);
      for (let flips = 0; flips <= i; flips++) other[pick(other.length)] ^= 1 << pick(8);
      return [`bits-${i}-${name}`, other, "either"];
    }),
    ...Array.from({ length: samples(1, 8) }, (_, i): Entry => {
      const other = Buffer.from(bytes);
      const at = pick(other.length);
      other.copy(other, at, pick(other.length));
      return [`moved-${i}-${name}`, other, "either"];
    }),
  ]);
}

export function oddFiles(): OddFile[] {
  const groups = { forms, strays, elements, wrong, addresses, damaged: damaged() };
  return Object.entries(groups).flatMap(([group, entries]) =>
    entries.map(([name, bytes, outcome]) => ({ group, name, bytes: Buffer.from(bytes), outcome })),
  );
}
