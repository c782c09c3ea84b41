import { readFileSync } from "node:fs";
import type { Progress } from "../../../common/progress.ts";
import type { LayerInput, LayerOutput } from "../../../frame/layer.ts";
import { SpillFile } from "../../../frame/spill.ts";
import { type Numbered, numberWithin, withOrders } from "../jobs/bucket-orders.ts";
import type { Job } from "../jobs/jobs.ts";
import type { Resolved } from "../jobs/resolve-bucket.ts";
import { type SharedSurroundings, shared } from "../jobs/surroundings.ts";
import { Workers } from "../jobs/workers.ts";
import type { Bucket } from "../records/buckets.ts";
import { FILES } from "./collect.ts";

export interface ResolvedRange {
  buckets: Bucket[];
  isEmpty: boolean;
  coverage: [area: string, count: number][];
  /** How far each file goes. */
  ends: { resolved: number; regions: number; codes: number; translations: number };
}

export const NOTHING_RESOLVED: ResolvedRange = {
  buckets: [],
  isEmpty: true,
  coverage: [],
  ends: { resolved: 0, regions: 0, codes: 0, translations: 0 },
};

let imports = 0;

/** The regions and towns of every record of some buckets. */
export async function resolve(
  input: LayerInput,
  buckets: readonly Bucket[],
  { from, to }: { from: number; to: number },
  before: ResolvedRange,
  out: LayerOutput,
  progress: Progress,
): Promise<ResolvedRange> {
  const { resources } = input;
  const around = readSurroundings(input);
  const raw = new SpillFile(resources.path(FILES.raw), lengthOf(buckets));
  const files = openFiles(input, before);
  const workers = new Workers(resources, lengthOf(buckets));
  const coverage = new Map(before.coverage);
  const done: Bucket[] = [];
  let isEmpty = before.isEmpty;
  const underWay: Numbered[] = [];
  const jobs = function* (): Generator<Job> {
    for (const { start, length } of buckets.slice(from, to)) {
      const bytes = raw.read(start, length);
      const numbered = numberWithin(bytes);
      underWay.push(numbered);
      yield { kind: "resolve", bytes, around, box: numbered.box };
    }
  };
  try {
    for await (const found of workers.inOrder<Resolved>(jobs())) {
      const one = withOrders(found, underWay.shift()!.orders);
      const { first } = buckets[from + done.length];
      done.push({ first, start: files.resolved.append(one.bytes), length: one.bytes.length });
      for (const [area, count] of one.coverage) coverage.set(area, (coverage.get(area) ?? 0) + count);
      for (const [what, count] of Object.entries(one.counts)) out.count(what, count);
      isEmpty &&= one.isEmpty;
      appendPieces(files, one);
      progress.advance(one.houses);
    }
    return {
      buckets: done,
      isEmpty,
      coverage: [...coverage],
      ends: {
        resolved: files.resolved.length,
        regions: files.regions.length,
        codes: files.codes.length,
        translations: files.translations.length,
      },
    };
  } finally {
    for (const one of [raw, ...Object.values(files)]) one.close();
    await workers.close();
  }
}

type Files = Record<keyof ResolvedRange["ends"], SpillFile>;

function openFiles({ resources }: LayerInput, { ends }: ResolvedRange): Files {
  const file = (name: keyof Files) => new SpillFile(resources.path(name), ends[name]);
  return {
    resolved: file("resolved"),
    regions: file("regions"),
    codes: file("codes"),
    translations: file("translations"),
  };
}

function appendPieces(files: Files, { regions, translations, codes, coded }: Resolved): void {
  if (regions.length > 0) files.regions.appendPiece(regions);
  if (translations.length > 0) files.translations.appendPiece(translations);
  if (coded.length === 0) return;
  files.codes.appendPiece(codes);
  files.codes.appendPiece(new Uint8Array(coded.buffer, coded.byteOffset, coded.byteLength));
}

export const lengthOf = (buckets: readonly Bucket[]): number =>
  buckets.reduce((end, { start, length }) => Math.max(end, start + length), 0);

function readSurroundings({ resources }: LayerInput): SharedSurroundings {
  const read = (name: string) => shared(readFileSync(resources.path(name)));
  const places = read(FILES.tilePlaces);
  return {
    id: ++imports,
    tiles: { places: new Float64Array(places.buffer), bytes: read(FILES.tiles) },
    settlements: read(FILES.settlements),
    drawnCodes: read(FILES.drawnCodes),
  };
}
