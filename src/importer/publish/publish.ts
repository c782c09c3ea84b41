import { createHash } from "node:crypto";
import { type Bounds, buildKey, MANIFEST_VERSION, type Manifest } from "../../core/geo/builds/manifest.ts";
import { SEAL } from "../../core/geo/builds/sealed.ts";
import { type FileRange, RangeFiles } from "../common/file-range.ts";
import type { Progress } from "../common/progress.ts";
import type { Credits } from "../frame/credits.ts";
import { indexOf, readIndex, type StagedObject, stagedFile } from "../frame/stores/staged-index.ts";
import type { StagedLayer } from "../frame/stores/staged-output.ts";
import type { Bucket, BucketObject, ObjectCopy } from "./bucket.ts";
import { writeObjectList } from "./object-list.ts";
import { type Sent, SharedObjects } from "./shared-objects.ts";

/** From here on an object goes to the bucket from its file, piece by piece [bytes]; smaller ones are read whole. */
const LARGE = 8 * 1024 * 1024;

/** A build made of staged layers: its manifest, its list of objects, and where each object's bytes are. */
export interface Build {
  manifest: Manifest;
  /** objects.json */
  objectList: FileRange;
  layers: readonly { staged: StagedLayer; pack: string }[];
}

interface BuildParts {
  name: string;
  /** Where layers have data that do not say so themselves. */
  areas: readonly Bounds[];
  inputs: Manifest["inputs"];
  /** Sources of the build, and of each layer. */
  credits: Credits;
  layers: Build["layers"];
}

/**
 * Names the build after its content: the same input gives the same id, and so the same keys. Its list of objects is written
 * next to the packs.
 */
export async function describeBuild({ name, areas, inputs, credits, layers }: BuildParts): Promise<Build> {
  const { sha256, ...objectList } = await writeObjectList(layers);
  const layerAreas = layers.map(({ staged }) => (staged.objects === 0 ? [] : [...(staged.areas ?? areas)]));
  const rest: Omit<Manifest, "id"> = {
    version: MANIFEST_VERSION,
    name,
    bounds: around(layerAreas.flat()),
    inputs,
    sources: credits.sources,
    layers: Object.fromEntries(
      layers.map(({ staged }, i) => [
        staged.name,
        {
          formatVersion: staged.formatVersion,
          areas: layerAreas[i],
          objects: staged.objects,
          bytes: staged.bytes,
          counts: staged.counts,
          sources: credits.byLayer[staged.name],
        },
      ]),
    ),
    checksum: SEAL,
    objectsSha256: sha256,
  };
  const id = createHash("sha256").update(JSON.stringify(rest)).digest("hex").slice(0, 16);
  return { manifest: { id, ...rest }, objectList, layers };
}

/**
 * Brings a build into the bucket, not yet live. Objects that already exist (an earlier attempt was interrupted) are
 * not sent again: keys under a build id mean fixed bytes. What `shared` builds have in the same content is copied from them within
 * the bucket. The manifest comes last, so a build with a manifest is complete.
 */
export async function publishBuild(
  bucket: Bucket,
  build: Build,
  progress: Progress,
  sharedWith: readonly string[] = [],
): Promise<Sent> {
  const { id } = build.manifest;
  const sent: Sent = { uploaded: { objects: 0, bytes: 0 }, shared: { objects: 0, bytes: 0 } };
  const there = await bucket.list(buildKey(id, ""));
  if (there.has(buildKey(id, "manifest.json"))) return sent;
  const shared = await SharedObjects.of(
    bucket,
    sharedWith.filter((other) => other !== id),
  );
  const sizes = new Map<string, number>();
  await bucket.copyMany?.(copiesOf(build, there, shared, sizes), ({ to }) => {
    const length = sizes.get(to) ?? 0;
    there.set(to, length);
    sent.shared.objects++;
    sent.shared.bytes += length;
  });
  const isThere = ({ key, length }: StagedObject) => there.get(buildKey(id, key)) === length;
  const done = (bytes: number) => progress.advance(bytes);
  const large: { key: string; range: FileRange }[] = [];
  const { uploaded } = sent;
  for await (const { object, range } of objectsOf(build)) {
    if (isThere(object)) continue;
    uploaded.objects++;
    uploaded.bytes += object.length;
    if (object.length >= LARGE) large.push({ key: buildKey(id, object.key), range });
  }
  progress.expect(uploaded.bytes + build.objectList.length, "B");
  await bucket.putMany(smallObjects(build, isThere), done);
  for (const { key, range } of large) await bucket.putFile(key, range, done);
  await bucket.putFile(buildKey(id, "objects.json"), build.objectList, done);
  await bucket.put(buildKey(id, "manifest.json"), Buffer.from(JSON.stringify(build.manifest, undefined, 1)));
  return sent;
}

/** `sizes` gets the length of each object that is to be copied. */
async function* copiesOf(
  build: Build,
  there: ReadonlyMap<string, number>,
  shared: SharedObjects,
  sizes: Map<string, number>,
): AsyncGenerator<ObjectCopy> {
  for await (const { object } of objectsOf(build)) {
    const to = buildKey(build.manifest.id, object.key);
    const from = there.get(to) === object.length ? undefined : shared.keyOf(object);
    if (from === undefined) continue;
    sizes.set(to, object.length);
    yield { from, to };
  }
}

async function* objectsOf({ layers }: Build): AsyncGenerator<{ object: StagedObject; range: FileRange }> {
  for (const { pack } of layers) {
    for await (const object of readIndex(indexOf(pack))) {
      const { file, offset, length } = object;
      yield { object, range: { path: stagedFile(pack, file), offset, length } };
    }
  }
}

async function* smallObjects(build: Build, isThere: (object: StagedObject) => boolean): AsyncGenerator<BucketObject> {
  const files = new RangeFiles();
  try {
    for await (const { object, range } of objectsOf(build)) {
      if (object.length >= LARGE || isThere(object)) continue;
      yield { key: buildKey(build.manifest.id, object.key), bytes: await files.read(range) };
    }
  } finally {
    await files.close();
  }
}

/**
 * The box around boxes, the whole Earth around none; one that crosses the 180th meridian widens it to all longitudes.
 */
function around(boxes: readonly Bounds[]): Bounds {
  if (boxes.length === 0) return [-180, -90, 180, 90];
  const south = Math.min(...boxes.map((box) => box[1]));
  const north = Math.max(...boxes.map((box) => box[3]));
  if (boxes.length === 1) return boxes[0];
  if (boxes.some(([west, , east]) => west > east)) return [-180, south, 180, north];
  return [Math.min(...boxes.map((box) => box[0])), south, Math.max(...boxes.map((box) => box[2])), north];
}
