import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { isInBounds } from "../../core/geo/builds/manifest.ts";
import { Malformed } from "../../core/geo/bytes/protobuf.ts";
import type { Progress } from "../common/progress.ts";
import { BlobFile, type BlobPlace, damaged, unpackBlob } from "../osm/pbf/blob-file.ts";
import { decodeBlock } from "../osm/pbf/decode-block.ts";
import type { OsmElement } from "../osm/pbf/element.ts";
import { versionsOf } from "../osm/pbf/versions.ts";
import { encodeBlock, frameBlob, frameBlock, frameHeader } from "../osm/pbf/write-pbf.ts";
import { writeMoved } from "../osm/read/moved-nodes.ts";
import type { Changes, Kind } from "./changes.ts";
import { chooseChanges, type Merged, type SpansOf } from "./choose-changes.ts";

/** As in other PBF files: at most so many elements in a block; one that grew beyond is cut in two. */
const BLOCK_SIZE = 8000;
const KINDS: readonly Kind[] = ["node", "way", "relation"];
const ALL = { nodes: true, ways: true, relations: true } as const;

/** The state that an extract is brought to. */
export interface Reached {
  /** [seconds since 1970] */
  timestamp?: number;
  sequence?: number;
  replicationUrl?: string;
}

/** Content of a blob: the elements in order, with versions. */
interface Content {
  elements: OsmElement[];
  versions: number[];
}

/**
 * An extract with changes applied, as its own file, which appears under its name when it is complete. Blobs without a change
 * are copied as they are; in the others elements are replaced, skipped, and put in by their ids. The same extract and changes
 * give the same bytes. In memory: the changes, and one blob.
 *
 * Elements outside of the extract's box that belong to nothing inside are skipped: changes of the whole planet serve as well.
 *
 * @param known name of the extract, and what an import knows of its blobs: the changed nodes are listed in a file next to the result (moved-nodes.ts)
 * @throws ImportError when the extract is damaged
 */
export async function mergeExtract(
  from: string,
  to: string,
  changes: Changes,
  reached: Reached,
  progress: Progress,
  known?: { sha256: string; spansOf: SpansOf },
): Promise<Merged> {
  const file = await BlobFile.open(from);
  const partial = `${to}.part`;
  const out = await open(partial, "w").catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  try {
    progress.expect(2 * file.size, "B");
    const { bounds } = file.header;
    const inside = bounds && ((latitude: number, longitude: number) => isInBounds(bounds, latitude, longitude));
    const { chosen, spans, counts } = await chooseChanges(file, changes, inside, progress, known?.spansOf);
    await out.writeFile(await headerOf(file, reached));
    const blocks = new Blocks(out, chosen);
    for (const [i, place] of file.blobs.entries()) {
      const { kinds, changed, most } = spans[i];
      const [kind] = kinds;
      // New elements of a kind with ids beyond all of the file are after the last of that kind.
      if (file.header.sorted && kind)
        for (const before of KINDS.slice(0, KINDS.indexOf(kind))) await blocks.putFresh(before);
      const grows = file.header.sorted && kinds.length === 1 && blocks.hasFresh(kind, most);
      const blob = await file.readBlob(place);
      if (!changed && !grows) await out.writeFile(frameBlob("OSMData", blob));
      else {
        const content = contentOf(blob, from, place);
        const kept = apply(content, chosen);
        if (!grows) await putByKind(kept, (content) => blocks.put(content));
        else await blocks.put(merged(kept, blocks.takeFresh(kind, most), (element) => blocks.versionOf(element)));
      }
      progress.advance(place.length);
    }
    for (const kind of KINDS) await blocks.putFresh(kind);
    await out.sync();
    await out.close();
    // First, so that an extract that is complete has it.
    if (known) await writeMoved(to, { before: known.sha256, nodes: Float64Array.from(chosen.node.keys()).sort() });
    await rename(partial, to);
    return counts;
  } catch (error) {
    await out.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

type ChosenChanges = Awaited<ReturnType<typeof chooseChanges>>["chosen"];

function headerOf({ header }: BlobFile, reached: Reached): Promise<Uint8Array> {
  return frameHeader({
    ...(header.bounds && { bounds: header.bounds }),
    writingProgram: "graticule update",
    timestamp: reached.timestamp ?? header.timestamp,
    sequence: reached.sequence ?? header.sequence,
    replicationUrl: reached.replicationUrl ?? header.replicationUrl,
    sorted: header.sorted ?? false,
  });
}

/** The blocks of the new file, and the elements that are still to be put in, by their ids. */
class Blocks {
  readonly #out: FileHandle;
  readonly #chosen: ChosenChanges;
  readonly #pending: Record<Kind, number[]>;

  constructor(out: FileHandle, chosen: ChosenChanges) {
    this.#out = out;
    this.#chosen = chosen;
    const pendingOf = (kind: Kind) =>
      [...chosen[kind].keys()].filter((id) => !chosen[kind].get(id)?.there).sort((a, b) => a - b);
    this.#pending = { node: pendingOf("node"), way: pendingOf("way"), relation: pendingOf("relation") };
  }

  hasFresh(kind: Kind, below: number): boolean {
    return (this.#pending[kind][0] ?? Number.POSITIVE_INFINITY) < below;
  }

  takeFresh(kind: Kind, most: number): OsmElement[] {
    const list = this.#pending[kind];
    let end = 0;
    while (end < list.length && list[end] <= most) end++;
    return list.splice(0, end).flatMap((id) => this.#chosen[kind].get(id)?.change.element ?? []);
  }

  versionOf({ type, id }: OsmElement): number {
    return this.#chosen[type].get(id)?.change.version ?? 0;
  }

  async putFresh(kind: Kind): Promise<void> {
    const elements = this.takeFresh(kind, Number.POSITIVE_INFINITY);
    if (elements.length > 0) await this.put({ elements, versions: elements.map((element) => this.versionOf(element)) });
  }

  async put({ elements, versions }: Content): Promise<void> {
    // No larger than a quarter more than usual, or in equal parts.
    const parts = Math.max(1, Math.ceil(elements.length / (1.25 * BLOCK_SIZE)));
    const size = Math.ceil(elements.length / parts);
    for (let at = 0; at < elements.length; at += size) {
      await this.#out.writeFile(
        await frameBlock(encodeBlock(elements.slice(at, at + size), versions.slice(at, at + size))),
      );
    }
  }
}

function contentOf(blob: Uint8Array, path: string, { offset }: BlobPlace): Content {
  const bytes = unpackBlob(blob, path, offset);
  const elements: OsmElement[] = [];
  const take = (element: OsmElement) => void elements.push(element);
  try {
    decodeBlock(bytes, { node: take, way: take, relation: take }, ALL);
    return { elements, versions: versionsOf(bytes) };
  } catch (error) {
    throw error instanceof Malformed ? damaged(path, offset, error) : error;
  }
}

function apply({ elements, versions }: Content, chosen: ChosenChanges): Content {
  const kept: Content = { elements: [], versions: [] };
  for (const [i, old] of elements.entries()) {
    const found = chosen[old.type].get(old.id);
    const element = found ? found.change.element : old;
    if (!element) continue;
    kept.elements.push(element);
    kept.versions.push(found ? found.change.version : versions[i]);
  }
  return kept;
}

/** Our blocks hold one kind. */
async function putByKind({ elements, versions }: Content, put: (content: Content) => Promise<void>): Promise<void> {
  for (let at = 0, end = 0; at < elements.length; at = end) {
    while (end < elements.length && elements[end].type === elements[at].type) end++;
    await put({ elements: elements.slice(at, end), versions: versions.slice(at, end) });
  }
}

/** Both by ascending id. */
function merged({ elements, versions }: Content, fresh: OsmElement[], versionOf: (e: OsmElement) => number): Content {
  const all: Content = { elements: [], versions: [] };
  let at = 0;
  const add = (element: OsmElement, version: number) => {
    all.elements.push(element);
    all.versions.push(version);
  };
  for (const element of fresh) {
    for (; at < elements.length && elements[at].id < element.id; at++) add(elements[at], versions[at]);
    add(element, versionOf(element));
  }
  for (; at < elements.length; at++) add(elements[at], versions[at]);
  return all;
}
