import { ImportError } from "../common/import-error.ts";
import { startOf } from "../common/text-file.ts";
import { geoJsonKind } from "./forms/geojson-addresses.ts";
import { isPostalDump } from "./postal-dump.ts";

/** The form of a source, as its first bytes say. */
export type Form = "archive" | "gzip" | "xml" | "table" | "geojson" | "postal codes" | "pbf";

/** What people have at hand and this importer does not read: how it begins (in Latin-1), what it is, and what to do. */
const OTHERS: readonly (readonly [start: string, what: string, advice: string])[] = [
  ["BZh", "packed with bzip2", "Unpack it (bunzip2 -k FILE) and import that"],
  ["\xfd7zXZ\0", "packed with xz", "Unpack it (unxz -k FILE) and import that"],
  ["\x28\xb5\x2f\xfd", "packed with Zstandard", "Unpack it (unzstd FILE) and import that"],
  ["7z\xbc\xaf", "a 7z archive", "Unpack it (7z x FILE) and import its files"],
  ["Rar!", "a RAR archive", "Unpack it and import its files"],
  ["PK\x05\x06", "an empty ZIP archive", "Download it again"],
  ["\xff\xe0\x04o5", "an o5m file", "Convert it (osmconvert FILE -o=out.osm.pbf) and import that"],
  ["SQLite format 3", "an SQLite database", "Specify an .osm.pbf extract or OpenAddresses files"],
  ["PMTiles", "a PMTiles archive", "Elevations are imported with --source elevation --bbox W,S,E,N"],
];
const TAR = ["", "a tar archive", "Unpack it (tar xf FILE) and import its files"] as const;
const PAGE = ["", "a web page, not data: the download failed", "Download it again"] as const;
const CHANGES = ["", "a file of changes", "Apply it with --update NAME FILE"] as const;
const OVERPASS = [
  "",
  "JSON of Overpass or of a server's error, not GeoJSON",
  "Ask for [out:xml] and import that",
] as const;

/** @param start the first bytes. @throws ImportError for a file of no form that is read */
export function formOf(name: string, start: Buffer): Form {
  if (start.length === 0) throw new ImportError(`${name} is empty.`);
  const bytes = start.toString("latin1");
  if (bytes.startsWith("PK\x03\x04")) return "archive";
  if (bytes.startsWith("\x1f\x8b")) return "gzip";
  const text = startOf(start);
  const root = rootOf(text);
  const isTar = bytes.startsWith("ustar", 257);
  const other = isTar ? TAR : (OTHERS.find(([begins]) => bytes.startsWith(begins)) ?? unreadText(text, root));
  if (other) throw new ImportError(`${name} is ${other[1]}. ${other[2].replace("FILE", name)}.`);
  if (root !== undefined) return "xml";
  if (isOpenAddresses(text)) return "table";
  if (isPostalDump(text)) return "postal codes";
  const json = geoJsonKind(text);
  if (json === "addresses") return "geojson";
  if (json === "other")
    throw new ImportError(
      `${name} is GeoJSON without addresses: its first feature lacks the properties number and street of OpenAddresses.`,
    );
  if (/\.csv$/i.test(name) || looksLikeTable(bytes)) {
    throw new ImportError(
      `${name} is a table whose first line lacks the columns LON, LAT, NUMBER and STREET of OpenAddresses. ` +
        "Specify your own tables with --places, --speeds or --dma.",
    );
  }
  // A PBF, or BlobFile says in a sentence what is wrong with it.
  return "pbf";
}

function unreadText(text: string, root: string | undefined): (typeof OTHERS)[number] | undefined {
  if (root === "osmChange") return CHANGES;
  if (root !== undefined && /^(?:!doctype html|html|head|body)$/i.test(root)) return PAGE;
  const isJson = text.trimStart().startsWith("{") && geoJsonKind(text) === undefined;
  return isJson && /"(?:elements|version|error|remark)"/.test(text) ? OVERPASS : undefined;
}

/** The first element of XML, or "!doctype" and what it names; undefined for what does not begin as XML does. */
function rootOf(text: string): string | undefined {
  let rest = text.replace(/^\ufeff/, "").trimStart();
  if (!rest.startsWith("<")) return undefined;
  for (const end of ["?>", "-->"]) {
    const start = end === "?>" ? "<?" : "<!--";
    while (rest.startsWith(start) && rest.includes(end)) rest = rest.slice(rest.indexOf(end) + end.length).trimStart();
  }
  return /^<(!doctype \w+|\w+)/i.exec(rest)?.[1] ?? "";
}

/** Text whose first line has commas; a PBF begins with a length of four bytes, of which the first is 0. */
function looksLikeTable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish data from text
  return !/[\x00-\x08]/.test(text) && text.split("\n", 1)[0].includes(",");
}

/** OpenAddresses' CSV: a header line with at least LON, LAT, NUMBER and STREET. */
export function isOpenAddresses(text: string): boolean {
  const header = text.replace(/^\ufeff/, "").split(/\r?\n/, 1)[0];
  const columns = header.split(",").map((column) => column.replaceAll('"', "").trim().toUpperCase());
  return ["LON", "LAT", "NUMBER", "STREET"].every((column) => columns.includes(column));
}
