import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writePbf } from "../../importer/osm/pbf/write-pbf.ts";
import type { Reporter } from "../../importer/report/reporter.ts";
import { type DemoWorldOptions, demoBounds, demoWorld } from "./demo-world.ts";

/** Writes the demo world to an .osm.pbf; the same options give the same bytes. About 0.85 MB per township. */
export async function writeDemoWorld(path: string, options: DemoWorldOptions = {}): Promise<void> {
  await writePbf(path, demoWorld(options), { bounds: demoBounds(options), writingProgram: "graticule demo world" });
}

/**
 * The demo world as a file of the cache folder. One that is there is used when this very code made it: a large world takes
 * a second for each township.
 */
export async function demoExtract(cache: string, size: number, reporter: Reporter): Promise<string> {
  const path = join(cache, `demo-${size}.osm.pbf`);
  const madeBy = await program();
  const there = await Promise.all([readFile(`${path}.made-by`, "utf8"), stat(path)]).catch(() => undefined);
  if (there?.[0] === madeBy) return path;
  const phase = reporter.begin("demo world");
  phase.expect(2 * size, "townships");
  await mkdir(cache, { recursive: true });
  await writeDemoWorld(path, { size, drawn: () => phase.advance() });
  await writeFile(`${path}.made-by`, madeBy);
  phase.end();
  return path;
}

/** A hash of the code that decides the bytes of a demo world. */
async function program(): Promise<string> {
  const hash = createHash("sha256");
  const here = import.meta.dirname;
  const files = (await readdir(here)).sort().map((name) => join(here, name));
  const writer = ["importer/osm/pbf/write-pbf.ts", "core/geo/bytes/protobuf.ts"].map((name) =>
    join(here, "../..", name),
  );
  for (const file of [...files, ...writer]) hash.update(await readFile(file));
  return hash.digest("hex");
}
