import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Files as Overture publishes them: GeoParquet packed with Zstandard, the columns of its schema (docs.overturemaps.org/schema/reference, and
 * the examples there), written by DuckDB, which shares no code with the reader.
 */

interface Source {
  dataset: string;
  license?: string;
  property?: string;
}

interface Row {
  id?: string;
  longitude: number;
  latitude: number;
  sources: Source[];
}

export interface AddressRow extends Row {
  country: string;
  number?: string | null;
  street?: string | null;
  unit?: string;
  postcode?: string;
  postal_city?: string;
  levels?: (string | null)[];
}

interface Names {
  primary: string;
  common?: Record<string, string>;
}

export interface PlaceRow extends Row {
  names: Names;
  hierarchy?: string[];
  alternates?: string[];
  confidence: number | null;
  operating_status?: string;
  brand?: { wikidata?: string; names?: Names };
  address?: { freeform?: string; locality?: string; postcode?: string; region?: string; country?: string };
  website?: string;
  phone?: string;
}

export interface DivisionRow {
  id?: string;
  rings: [number, number][][];
  names: Names;
  subtype: string;
  class?: string;
  country: string;
  region?: string;
  sources?: Source[];
}

const SOURCES =
  "STRUCT(property VARCHAR, dataset VARCHAR, license VARCHAR, record_id VARCHAR, update_time VARCHAR, confidence DOUBLE, between DOUBLE[])[]";
const BBOX = "STRUCT(xmin FLOAT, xmax FLOAT, ymin FLOAT, ymax FLOAT)";
const NAMES =
  'STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR), rules STRUCT(variant VARCHAR, language VARCHAR, perspectives STRUCT(mode VARCHAR, countries VARCHAR[]), "value" VARCHAR, between DOUBLE[], side VARCHAR)[])';
const COMMON = { id: "VARCHAR", geometry: "VARCHAR", bbox: BBOX, version: "INTEGER", sources: SOURCES } as const;

const COLUMNS = {
  addresses: {
    ...COMMON,
    country: "VARCHAR",
    postcode: "VARCHAR",
    street: "VARCHAR",
    number: "VARCHAR",
    unit: "VARCHAR",
    address_levels: 'STRUCT("value" VARCHAR)[]',
    postal_city: "VARCHAR",
  },
  places: {
    ...COMMON,
    names: NAMES,
    categories: 'STRUCT("primary" VARCHAR, alternate VARCHAR[])',
    basic_category: "VARCHAR",
    taxonomy: 'STRUCT("primary" VARCHAR, hierarchy VARCHAR[], alternates VARCHAR[])',
    confidence: "DOUBLE",
    operating_status: "VARCHAR",
    websites: "VARCHAR[]",
    socials: "VARCHAR[]",
    emails: "VARCHAR[]",
    phones: "VARCHAR[]",
    brand: `STRUCT(wikidata VARCHAR, names ${NAMES})`,
    addresses: "STRUCT(freeform VARCHAR, locality VARCHAR, postcode VARCHAR, region VARCHAR, country VARCHAR)[]",
  },
  divisions: {
    ...COMMON,
    names: NAMES,
    subtype: "VARCHAR",
    class: "VARCHAR",
    is_land: "BOOLEAN",
    is_territorial: "BOOLEAN",
    division_id: "VARCHAR",
    country: "VARCHAR",
    region: "VARCHAR",
    admin_level: "INTEGER",
  },
} as const;

let count = 0;
const idOf = (id: string | undefined) => id ?? `00000000-0000-4000-8000-${String(count++).padStart(12, "0")}`;

function pointHex(longitude: number, latitude: number): string {
  const bytes = Buffer.alloc(21);
  bytes[0] = 1;
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes.toString("hex");
}

function polygonHex(rings: [number, number][][]): string {
  const head = Buffer.alloc(9);
  head[0] = 1;
  head.writeUInt32LE(3, 1);
  head.writeUInt32LE(rings.length, 5);
  const parts = rings.map((ring) => {
    const bytes = Buffer.alloc(4 + 16 * ring.length);
    bytes.writeUInt32LE(ring.length, 0);
    for (const [i, [x, y]] of ring.entries()) {
      bytes.writeDoubleLE(x, 4 + 16 * i);
      bytes.writeDoubleLE(y, 12 + 16 * i);
    }
    return bytes;
  });
  return Buffer.concat([head, ...parts]).toString("hex");
}

const sourcesOf = (sources: Source[]) =>
  sources.map(({ property = "", dataset, license = null }, i) => ({ property, dataset, license, record_id: `r${i}` }));

const point = ({ id, longitude, latitude, sources }: Row) => ({
  id: idOf(id),
  geometry: pointHex(longitude, latitude),
  bbox: { xmin: longitude, xmax: longitude, ymin: latitude, ymax: latitude },
  version: 1,
  sources: sourcesOf(sources),
});

export function writeAddresses(path: string, rows: readonly AddressRow[], groupSize?: number): Promise<void> {
  return write(
    path,
    "addresses",
    rows.map(({ levels, country, number, street, unit, postcode, postal_city, ...row }) => ({
      ...point(row),
      ...{ country, number, street, unit, postcode, postal_city },
      address_levels: levels?.map((value) => ({ value })),
    })),
    groupSize,
  );
}

export function writePlaces(path: string, rows: readonly PlaceRow[]): Promise<void> {
  return write(
    path,
    "places",
    rows.map((row) => ({
      ...point(row),
      names: row.names,
      taxonomy: row.hierarchy && {
        primary: row.hierarchy.at(-1),
        hierarchy: row.hierarchy,
        alternates: row.alternates,
      },
      confidence: row.confidence,
      operating_status: row.operating_status ?? "open",
      websites: row.website && [row.website],
      phones: row.phone && [row.phone],
      brand: row.brand,
      addresses: [row.address ?? {}],
    })),
  );
}

export function writeDivisions(path: string, rows: readonly DivisionRow[]): Promise<void> {
  return write(
    path,
    "divisions",
    rows.map(({ id, rings, sources = [{ dataset: "OpenStreetMap" }], class: area = "land", ...row }) => {
      const corners = rings.flat();
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      return {
        ...row,
        id: idOf(id),
        geometry: polygonHex(rings),
        bbox: { xmin: Math.min(...xs), xmax: Math.max(...xs), ymin: Math.min(...ys), ymax: Math.max(...ys) },
        version: 1,
        sources: sourcesOf(sources),
        class: area,
        is_land: area === "land",
        is_territorial: area !== "land",
      };
    }),
  );
}

async function write(path: string, kind: keyof typeof COLUMNS, rows: readonly object[], groupSize?: number) {
  const folder = mkdtempSync(join(tmpdir(), "overture-"));
  const json = join(folder, `${basename(path)}.json`);
  writeFileSync(json, rows.map((row) => JSON.stringify(row)).join("\n"));
  const instance = await DuckDBInstance.create();
  const duck = await instance.connect();
  try {
    const types = Object.entries(COLUMNS[kind]).map(([name, type]) => `"${name}": '${type}'`);
    const names = Object.keys(COLUMNS[kind]).map((name) =>
      name === "geometry" ? "unhex(geometry) AS geometry" : `"${name}"`,
    );
    const options = `FORMAT parquet, COMPRESSION zstd${groupSize === undefined ? "" : `, ROW_GROUP_SIZE ${groupSize}`}`;
    await duck.run(
      `COPY (SELECT ${names.join(", ")} FROM read_json('${json}', format = 'newline_delimited', columns = {${types.join(", ")}})) TO '${path}' (${options})`,
    );
  } finally {
    duck.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

export interface FileServer {
  url: string;
  /** Ranges that were requested, by path. */
  requests: { path: string; start: number; length: number }[];
  /** Responds to requests from now on; the first argument is the number of the request. */
  fail?: (number: number) => boolean;
  close(): Promise<void>;
}

/** A bucket: files by path, in ranges, with ETags, and lists of what begins with a prefix. */
export async function serveFiles(files: Map<string, { bytes: Buffer; etag: string }>): Promise<FileServer> {
  const state: FileServer = { url: "", requests: [], close: async () => {} };
  let number = 0;
  const server = createServer((request, response) => {
    if (state.fail?.(number++)) return void request.socket.destroy();
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (searchParams.get("list-type") === "2") {
      const keys = [...files.keys()].filter((key) => key.startsWith(searchParams.get("prefix") ?? "")).sort();
      const from = Number(searchParams.get("continuation-token") ?? 0);
      const page = keys.slice(from, from + 2);
      const more = from + 2 < keys.length;
      const items = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join("");
      response.end(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ""}${items}</ListBucketResult>`,
      );
      return;
    }
    const file = files.get(decodeURIComponent(pathname.slice(1)));
    if (!file) return void response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const [start, end] = [Number(first), Math.min(Number(last), file.bytes.length - 1)];
    state.requests.push({ path: pathname.slice(1), start, length: end - start + 1 });
    response.writeHead(206, { etag: file.etag, "content-range": `bytes ${start}-${end}/${file.bytes.length}` });
    response.end(file.bytes.subarray(start, end + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  state.close = () => new Promise((resolve) => void server.close(() => resolve()));
  return state;
}
