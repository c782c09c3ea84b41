import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { type Bounds, buildKey, MANIFEST_VERSION, type Manifest, type ObjectList } from "../../geo/manifest.ts";
import { SEAL } from "../../geo/sealed.ts";
import type { DataSource } from "../layer.ts";
import type { Progress } from "../progress.ts";
import type { StagedLayer } from "../staging.ts";
import type { Bucket, BucketObject } from "./bucket.ts";

/** A build made of staged layers: its manifest, its list of objects, and where each object's bytes are. */
export interface Build {
  manifest: Manifest;
  objectList: Uint8Array;
  layers: readonly { staged: StagedLayer; pack: string }[];
}

export interface BuildParts {
  name: string;
  /** Where layers have data that do not say so themselves. */
  areas: readonly Bounds[];
  inputs: Manifest["inputs"];
  /** Sources of the inputs themselves; the layers add theirs. */
  sources: readonly DataSource[];
  layers: Build["layers"];
}

/** Names the build after its content: the same input gives the same id, and so the same keys. */
export function describeBuild({ name, areas, inputs, sources, layers }: BuildParts): Build {
  const objects = layers.flatMap(({ staged }) => staged.objects).sort((a, b) => (a.key < b.key ? -1 : 1));
  const list: ObjectList = Object.fromEntries(objects.map(({ key, length, sha256 }) => [key, [length, sha256]]));
  const objectList = Buffer.from(JSON.stringify(list));
  const bySourceName = new Map([...sources, ...layers.flatMap(({ staged }) => staged.sources)].map((s) => [s.name, s]));
  const layerAreas = layers.map(({ staged }) => (staged.objects.length === 0 ? [] : [...(staged.areas ?? areas)]));
  const rest: Omit<Manifest, "id"> = {
    version: MANIFEST_VERSION,
    name,
    bounds: around(layerAreas.flat()),
    inputs,
    sources: [...bySourceName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    layers: Object.fromEntries(
      layers.map(({ staged }, i) => [
        staged.name,
        {
          formatVersion: staged.formatVersion,
          areas: layerAreas[i],
          objects: staged.objects.length,
          bytes: staged.objects.reduce((sum, { length }) => sum + length, 0),
          counts: staged.counts,
        },
      ]),
    ),
    checksum: SEAL,
    objectsSha256: createHash("sha256").update(objectList).digest("hex"),
  };
  const id = createHash("sha256").update(JSON.stringify(rest)).digest("hex").slice(0, 16);
  return { manifest: { id, ...rest }, objectList, layers };
}

/**
 * Brings a build into the bucket, not yet live. Objects that are there already (an earlier attempt was interrupted) are
 * not sent again: keys under a build id mean fixed bytes. The manifest comes last, so a build with a manifest is whole.
 */
export async function publishBuild(bucket: Bucket, build: Build, progress: Progress): Promise<void> {
  const { id } = build.manifest;
  const there = await bucket.list(buildKey(id, ""));
  if (there.has(buildKey(id, "manifest.json"))) return;
  const missing = build.layers.map(({ staged, pack }) => ({
    pack,
    objects: staged.objects.filter(({ key, length }) => there.get(buildKey(id, key)) !== length),
  }));
  progress.expect(
    missing.reduce((sum, { objects }) => sum + objects.reduce((bytes, { length }) => bytes + length, 0), 0),
    "B",
  );
  await bucket.putMany(unpack(id, missing), (bytes) => progress.advance(bytes));
  await bucket.put(buildKey(id, "objects.json"), build.objectList);
  await bucket.put(buildKey(id, "manifest.json"), Buffer.from(JSON.stringify(build.manifest, undefined, 1)));
}

async function* unpack(
  id: string,
  packs: readonly { pack: string; objects: readonly { key: string; offset: number; length: number }[] }[],
): AsyncGenerator<BucketObject> {
  for (const { pack, objects } of packs) {
    if (objects.length === 0) continue;
    const file = await open(pack);
    try {
      for (const { key, offset, length } of objects) {
        const bytes = Buffer.allocUnsafeSlow(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        if (bytesRead !== length) throw new Error(`${pack} is shorter than its index says`);
        yield { key: buildKey(id, key), bytes };
      }
    } finally {
      await file.close();
    }
  }
}

/**
 * The box around boxes, the whole Earth around none; one that crosses the 180th meridian makes it the whole way round.
 */
function around(boxes: readonly Bounds[]): Bounds {
  if (boxes.length === 0) return [-180, -90, 180, 90];
  const south = Math.min(...boxes.map((box) => box[1]));
  const north = Math.max(...boxes.map((box) => box[3]));
  if (boxes.length === 1) return boxes[0];
  if (boxes.some(([west, , east]) => west > east)) return [-180, south, 180, north];
  return [Math.min(...boxes.map((box) => box[0])), south, Math.max(...boxes.map((box) => box[2])), north];
}
