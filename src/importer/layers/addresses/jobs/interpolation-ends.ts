import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { lastIndexOf } from "../../../common/sorted-numbers.ts";
import type { LayerInput } from "../../../frame/layer.ts";
import { decodeBlock } from "../../../osm/pbf/decode-block.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { blocksOf } from "../../../osm/store/block-store.ts";
import { shared } from "./surroundings.ts";

/** The nodes that interpolation lines run through, by ascending id, in memory that all threads see. */
export const interpolationNodes = async (input: LayerInput): Promise<Float64Array> => {
  let ids = new Float64Array(1024);
  let count = 0;
  const { path, blocks } = input.blocks("ways");
  const { parts } = input.resources;
  const keys = parts && (await input.digests("ways")).map((digest) => parts.key("interpolation", digest));
  for (const [i, place] of blocks.entries()) {
    const before = keys && parts?.find(keys[i]);
    if (before) {
      for (const ref of new Float64Array(before.buffer)) add(ref);
      continue;
    }
    const own: number[] = [];
    for await (const bytes of blocksOf(path, [place]))
      decodeBlock(bytes, { way: ({ refs }) => void own.push(...refs) }, { ways: ["addr:interpolation"] });
    if (keys) parts?.put(keys[i], new Uint8Array(Float64Array.from(own).buffer));
    own.forEach(add);
  }
  function add(ref: number): void {
    if (count === ids.length) {
      const larger = new Float64Array(2 * count);
      larger.set(ids);
      ids = larger;
    }
    ids[count++] = ref;
  }
  const made = new Float64Array(new SharedArrayBuffer(8 * count));
  made.set(ids.subarray(0, count));
  return made.sort();
};

/** Nodes of lines: the tags of those with a number, by ascending id. */
export interface NumberedNodes {
  ids: Float64Array;
  /** Where the tags of each begin. */
  starts: Float64Array;
  bytes: Uint8Array;
}

/** Takes nodes by ascending id. */
export class NumberedNodesBuilder {
  readonly #ids: number[] = [];
  readonly #starts: number[] = [];
  readonly #bytes = new ByteWriter();

  add(id: number, tags: Tags): void {
    const kept = Object.entries(tags).filter(([key]) => key.startsWith("addr:"));
    this.#ids.push(id);
    this.#starts.push(this.#bytes.length);
    this.#bytes.unsigned(kept.length);
    for (const entry of kept) for (const text of entry) this.#bytes.text(text);
  }

  addAll({ ids, starts, bytes }: NumberedNodes): void {
    const first = this.#bytes.length;
    for (const id of ids) this.#ids.push(id);
    for (const start of starts) this.#starts.push(first + start);
    this.#bytes.bytes(bytes);
  }

  finish(): NumberedNodes {
    return {
      ids: Float64Array.from(this.#ids),
      starts: Float64Array.from(this.#starts),
      bytes: this.#bytes.finish(),
    };
  }

  /** In memory that all threads see. */
  share(): NumberedNodes {
    const { ids, starts, bytes } = this.finish();
    const numbers = (list: Float64Array) => new Float64Array(shared(new Uint8Array(list.buffer)).buffer);
    return { ids: numbers(ids), starts: numbers(starts), bytes: shared(bytes) };
  }
}

/** Undefined for a node without a number. */
export function tagsOfNode({ ids, starts, bytes }: NumberedNodes, node: number): Tags | undefined {
  const at = lastIndexOf(ids, node);
  if (at < 0) return undefined;
  // A copy: texts are not decoded from shared memory everywhere.
  const own = new Uint8Array(bytes.subarray(starts[at], at + 1 < starts.length ? starts[at + 1] : bytes.length));
  const reader = new ByteReader(own);
  return Object.fromEntries(Array.from({ length: reader.unsigned() }, () => [reader.text(), reader.text()]));
}
