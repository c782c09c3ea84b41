import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { checkOperatorFiles } from "../../../src/importer/run/check-files.ts";
import { layers } from "../../../src/importer/run/layers.ts";
import { download } from "../../../src/importer/sources/download.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sources-"));
});
afterEach(() => rm(folder, { recursive: true }));

const CSV = "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n-121.9,37.3,1,Main St,,,,,,,a\n";

/** A ZIP archive of deflated or stored entries. */
function zip(entries: [name: string, content: Buffer, stored?: boolean][]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content, stored] of entries) {
    const packed = stored ? content : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), packed]);
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

/** The beginning of a tar archive. */
const tar = () => {
  const header = Buffer.alloc(512);
  header.write("a.osm", 0, "latin1");
  header.write("ustar", 257, "latin1");
  return header;
};

describe("what is named on the command line", () => {
  const find = (...named: string[]) => findSources(named, { cache: join(folder, "cache"), reporter: silent });

  it("is told apart by what is in it, whatever it is called", async () => {
    const pbf = join(folder, "map.bin");
    await writePbf(pbf, [{ type: "node", id: 1, latitude: 0, longitude: 0, tags: {} }]);
    const csv = join(folder, "addresses.txt");
    await writeFile(csv, `\ufeff"lon","lat","number","street"\n1,2,3,x\n`);
    const archive = join(folder, "archive");
    await writeFile(
      archive,
      zip([
        ["us/ca/b.csv", Buffer.from(CSV)],
        ["us/ca/a.csv", Buffer.from(CSV.repeat(3)), true],
        ["README.txt", Buffer.from("read me")],
        ["us/summary.csv", Buffer.from("county,count\nx,1\n")],
      ]),
    );
    const found = await find(pbf, csv, archive);
    expect(found.extracts).toEqual([pbf]);
    expect(found.addresses.map((path) => basename(path))).toEqual(["addresses.txt", "a.csv", "b.csv"]);
    expect(await readFile(found.addresses[1], "utf8")).toBe(CSV.repeat(3));
    expect(await readFile(found.addresses[2], "utf8")).toBe(CSV);
  });

  it.each<[string, string, () => Buffer, RegExp]>([
    ["a text", "notes.txt", () => Buffer.from("hello"), /not an OpenStreetMap PBF/],
    [
      "an archive without addresses",
      "x.zip",
      () => zip([["a.csv", Buffer.from("a,b\n")]]),
      /holds no extract .*, no addresses of OpenAddresses/,
    ],
    ["a packed tar archive", "a.tar.gz", () => gzipSync(tar()), /^a\.tar\.gz is a tar archive\. Unpack it \(tar xf/],
    ["an archive cut off", "x.zip", () => zip([["a.csv", Buffer.from(CSV)]]).subarray(0, 60), /damaged or cut off/],
    ["an archive with a wrong byte", "x.zip", () => spoiled(), /damaged or cut off/],
  ])("is refused when it is %s", async (_, name, content, sentence) => {
    const path = join(folder, name);
    await writeFile(path, content());
    const error = await find(path).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(sentence);
  });

  it("may be an extract in an archive", async () => {
    const path = join(folder, "town.zip");
    const xml = '<osm><node id="5" lat="1" lon="2"><tag k="shop" v="x"/></node></osm>';
    const pbf = join(folder, "map.osm.pbf");
    await writePbf(pbf, [{ type: "node", id: 7, latitude: 0, longitude: 0, tags: {} }]);
    await writeFile(
      path,
      zip([
        ["data/town.osm", Buffer.from(xml)],
        ["map.osm.pbf", await readFile(pbf)],
      ]),
    );
    expect((await find(path)).extracts.map((one) => basename(one))).toEqual(["town.osm.pbf", "map.osm.pbf"]);
  });

  it("numbers only what has the name of another in its archive", async () => {
    const path = join(folder, "two.zip");
    await writeFile(
      path,
      zip([
        ["ca/a.csv", Buffer.from(CSV)],
        ["nv/a.csv", Buffer.from(CSV)],
      ]),
    );
    expect((await find(path)).addresses.map((one) => basename(one))).toEqual(["a.csv", "1-a.csv"]);
  });

  it("is no pipe, which would wait for its writer, or could be read only once", async () => {
    const path = join(folder, "pipe.osm");
    execFileSync("mkfifo", [path]);
    await expect(find(path)).rejects.toThrow(`${path} is a pipe or a device, which cannot be read twice`);
    const own = { addresses: [], places: path };
    await expect(checkOperatorFiles(own, layers)).rejects.toThrow("is a pipe or a device");
  });

  const feature = (number: number, place = "[8.7,49.4]") =>
    `{"type":"Feature","properties":{"hash":"h","number":"${number}","street":"A \\"B\\", C","city":"Ödham","postcode":"69"},"geometry":{"type":"Point","coordinates":${place}}}`;

  it("may be GeoJSON of OpenAddresses, which becomes a table, with the licence of its .meta", async () => {
    const path = join(folder, "collection.zip");
    const meta = '{"license":"CC-BY-4.0"}';
    await writeFile(
      path,
      zip([
        ["us/a-addresses-city.geojson", Buffer.from(`${feature(1)}\n${feature(2, "null")}\n`)],
        ["us/a-addresses-city.geojson.meta", Buffer.from(meta)],
        ["us/a-buildings-city.geojson", Buffer.from('{"type":"Feature","properties":{},"geometry":null}\n')],
      ]),
    );
    const { addresses } = await find(path);
    expect(addresses.map((one) => basename(one))).toEqual(["a-addresses-city.geojson.csv"]);
    expect(await readFile(addresses[0], "utf8")).toBe(
      `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n8.7,49.4,1,"A ""B"", C",,Ödham,,,69,,h\n,,2,"A ""B"", C",,Ödham,,,69,,h\n`,
    );
    expect(await readFile(addresses[0].replace(/\.csv$/, ".json"), "utf8")).toBe(meta);
  });

  it("is converted once, and again when the file changes", async () => {
    const path = join(folder, "town.osm");
    const xml = (id: number) => `<osm><node id="${id}" lat="1" lon="2"><tag k="shop" v="x"/></node></osm>`;
    await writeFile(path, xml(-5));
    const [made] = (await find(path)).extracts;
    expect(basename(made)).toBe("town.osm.pbf");
    const before = await stat(made);
    expect((await find(path)).extracts).toEqual([made]);
    expect((await stat(made)).mtimeMs).toBe(before.mtimeMs);
    await writeFile(path, xml(1234));
    await find(path);
    const ids: number[] = [];
    await scanPbf(made, { node: ({ id }) => void ids.push(id) });
    expect(ids).toEqual([1234]);
  });

  it("is refused when it is not there, or a folder", async () => {
    await expect(find(join(folder, "absent"))).rejects.toThrow(/there is no such file/);
    await expect(find(folder)).rejects.toThrow(/it is a folder/);
  });

  it("must come over https", async () => {
    await expect(find("http://example.org/a.osm.pbf")).rejects.toThrow(/not an https address/);
    await expect(find("ftp://example.org/a.osm.pbf")).rejects.toThrow(/not an https address/);
  });

  const santaClara = resolve(
    process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data"),
    "openaddresses-us-ca-santa_clara.zip",
  );
  it.skipIf(!existsSync(santaClara))(
    `may be a real OpenAddresses archive${existsSync(santaClara) ? "" : " (skipped: no extract)"}`,
    async () => {
      const { addresses } = await find(santaClara);
      expect(addresses).toHaveLength(1);
      expect((await readFile(addresses[0])).length).toBe(381_444);
    },
  );
});

function spoiled(): Buffer {
  const bytes = zip([["a.csv", Buffer.from(CSV)]]);
  bytes[50] ^= 0xff;
  return bytes;
}

describe("a download", () => {
  let server: Server;
  let origin: string;
  /** Requests as they came: method, and what of the file was asked for. */
  let asked: { range?: string; ifRange?: string; ifNoneMatch?: string }[] = [];
  let content = Buffer.alloc(0);
  let etag = '"v1"';
  /** The connection breaks after so many bytes of an answer. */
  let breaks: number[] = [];
  let status = 0;

  beforeAll(async () => {
    server = createServer(serve);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    asked = [];
    breaks = [];
    status = 0;
    etag = '"v1"';
    content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256));
  });

  function serve({ headers, url }: IncomingMessage, response: ServerResponse): void {
    if (url === "/moved") return void response.writeHead(302, { location: "/file.osm.pbf" }).end();
    if (url === "/away") return void response.writeHead(302, { location: "ftp://example.org/x" }).end();
    asked.push({ range: headers.range, ifRange: headers["if-range"] as string, ifNoneMatch: headers["if-none-match"] });
    if (status) return void response.writeHead(status).end();
    if (headers["if-none-match"] === etag) return void response.writeHead(304).end();
    const from = headers.range && headers["if-range"] === etag ? Number(/\d+/.exec(headers.range)?.[0]) : 0;
    const part = content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      "content-length": part.length,
      ...(from > 0 && { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    const breakAfter = breaks.shift();
    if (breakAfter === undefined) response.end(part);
    else response.write(part.subarray(0, breakAfter), () => void keptMoreThan(from).then(() => response.destroy()));
  }

  /** Waits until some of this response is on disk: a client that is slow would lose what it has not read. */
  async function keptMoreThan(bytes: number): Promise<void> {
    for (let round = 0; round < 500; round++) {
      const files = (await readdir(folder)).filter((name) => name.endsWith(".part"));
      const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
      if (sizes.some((size) => size > bytes)) return;
      await new Promise((resume) => setTimeout(resume, 10));
    }
  }

  const fetchFile = (path = "/file.osm.pbf") =>
    download(origin + path, { folder, progress: quiet, retryAfter: 1, allowHttp: true });

  it("arrives whole, under the file's name", async () => {
    const path = await fetchFile();
    expect(basename(path)).toMatch(/^[0-9a-f]{8}-file\.osm\.pbf$/);
    expect(Buffer.compare(await readFile(path), content)).toBe(0);
  });

  it("goes on where the connection broke", async () => {
    breaks = [70_000, 50_000];
    const path = await fetchFile();
    expect(Buffer.compare(await readFile(path), content)).toBe(0);
    expect(asked).toHaveLength(3);
    expect(asked[1].range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(asked[2].ifRange).toBe('"v1"');
  });

  it("goes on when the command runs again", async () => {
    breaks = Array.from({ length: 6 }, () => 10_000);
    await expect(fetchFile()).rejects.toThrow(/run the command again/);
    asked = [];
    const path = await fetchFile();
    expect(asked).toHaveLength(1);
    expect(asked[0].range).toBeDefined();
    expect(Buffer.compare(await readFile(path), content)).toBe(0);
  });

  it("begins anew when the file changed meanwhile", async () => {
    breaks = Array.from({ length: 6 }, () => 10_000);
    await expect(fetchFile()).rejects.toThrow();
    etag = '"v2"';
    content = Buffer.from(content.map((byte) => 255 - byte));
    expect(Buffer.compare(await readFile(await fetchFile()), content)).toBe(0);
  });

  it("is not repeated while the server has the same file", async () => {
    const path = await fetchFile();
    asked = [];
    expect(await fetchFile()).toBe(path);
    expect(asked).toEqual([{ range: undefined, ifRange: undefined, ifNoneMatch: '"v1"' }]);
  });

  it("that is there serves when there is no network", async () => {
    const path = await fetchFile();
    status = 503;
    expect(await fetchFile()).toBe(path);
  });

  it("is a sentence when the address is wrong", async () => {
    status = 404;
    await expect(fetchFile()).rejects.toThrow(/returned 404.*Check the address/);
    expect(await readdir(folder)).toEqual([]);
  });

  it("follows a redirect, but not away from https", async () => {
    expect(Buffer.compare(await readFile(await fetchFile("/moved")), content)).toBe(0);
    await expect(fetchFile("/away")).rejects.toThrow(/not an https address/);
  });
});
