import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Manifest } from "../../core/geo/builds/manifest.ts";
import { ImportError } from "../common/import-error.ts";
import { shownName } from "../common/shown-name.ts";
import { systemReason } from "../common/system-reason.ts";
import type { Selection } from "../osm/pbf/selection.ts";
import type { Reporter } from "../report/reporter.ts";
import type { Layer, OperatorFiles } from "./layer.ts";

export type Input = Manifest["inputs"][number];

/** Reading so much takes seconds, and is shown. */
const MIN_SHOWN_BYTES = 200e6;

/** Name, size and SHA-256 of each file. @throws ImportError for a file that cannot be read */
export async function fingerprints(paths: readonly string[], reporter: Reporter): Promise<Input[]> {
  const sizes = await Promise.all(paths.map((path) => explain(path, async () => (await stat(path)).size)));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const progress = all < MIN_SHOWN_BYTES ? undefined : reporter.begin("checking");
  progress?.expect(all, "B");
  const inputs = await Promise.all(
    paths.map((path, i) =>
      explain(path, async () => {
        const hash = createHash("sha256");
        for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
          hash.update(chunk);
          progress?.advance(chunk.length);
        }
        return { name: shownName(path), bytes: sizes[i], sha256: hash.digest("hex") };
      }),
    ),
  );
  progress?.end();
  return inputs;
}

async function explain<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
  }
}

const shortHash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** Names the work on these extracts by this very code. */
export async function keyOfJob(extracts: readonly Input[]): Promise<string> {
  return shortHash({ extracts, program: await programHash() });
}

let hashed: Promise<string> | undefined;

/** Of all that may decide what an import makes. It is asked once: what runs is what was there then. */
export function programHash(): Promise<string> {
  hashed ??= hashProgram();
  return hashed;
}

/** The code below a folder, and the tables that it reads. */
export async function hashProgram(source = resolve(import.meta.dirname, "../..")): Promise<string> {
  const program = createHash("sha256");
  const names = await readdir(source, { recursive: true });
  for (const name of names.filter((name) => /\.(ts|json)$/.test(name)).sort())
    program.update(name).update(await readFile(join(source, name)));
  return program.digest("hex");
}

export const keyOfSelection = (selection: Selection): string => shortHash(selection);

/** Names what a layer makes of the extracts: by its format, what it reads of them, and the operator files it looks at. */
export function keyOfLayer(
  { name, formatVersion, reads, files: kinds }: Layer,
  files: OperatorFiles,
  prints: ReadonlyMap<string, Input>,
): string {
  const read = operatorFiles(files).filter(([kind]) => kinds?.includes(kind) ?? true);
  return shortHash({ name, formatVersion, reads, files: read.map(([kind, path]) => [kind, prints.get(path)]) });
}

/** Kinds of which an import has one file, in the order in which they are named. */
const SINGLE = [
  "dma",
  "postalCodes",
  "places",
  "speeds",
  "elevation",
  "ground",
  "overtureAddresses",
  "overturePlaces",
  "overtureDivisions",
] as const;

/** Each file with its kind. */
export function operatorFiles(files: OperatorFiles): [kind: keyof OperatorFiles, path: string][] {
  const { addresses, ...others } = files;
  return [
    ...SINGLE.flatMap((kind): [keyof OperatorFiles, string][] => {
      const path = others[kind];
      return path === undefined ? [] : [[kind, path]];
    }),
    ...addresses.map((path): [keyof OperatorFiles, string] => ["addresses", path]),
  ];
}
