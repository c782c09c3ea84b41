import { deserialize, serialize } from "node:v8";
import type { CachedParts, ElementBlocks } from "../../../frame/layer.ts";
import type { Run } from "../tiles/run.ts";
import type { DrawOptions } from "./drawer.ts";
import type { Drawing, Drawn } from "./thread.ts";

/** About so many blocks make a share; fewer would make too many runs. */
const BLOCKS = 4;

/** Cached data of a share, besides its runs, which are files. */
interface Kept extends Omit<Drawn, "runs"> {
  /** Bytes of each run. */
  runs: number[];
}

/** Blocks of elements that were drawn before: what they show follows from their bytes, and from how it is drawn. */
export class KnownDrawings {
  readonly #parts: CachedParts;
  readonly #how: string;
  /** By where a block begins. */
  readonly #digests: Map<number, Uint8Array>;
  readonly #keys = new Map<Drawing, Uint8Array>();

  readonly #routes: Map<number, string> | undefined;

  /** @param routes what routes say of the ways of a block, by where it begins */
  constructor(
    parts: CachedParts,
    options: DrawOptions,
    { blocks, reads }: ElementBlocks,
    digests: readonly Uint8Array[],
    routes?: Map<number, string>,
  ) {
    this.#parts = parts;
    this.#routes = routes;
    this.#how = JSON.stringify([options, reads]);
    this.#digests = new Map(blocks.map(({ offset }, i) => [offset, digests[i]]));
  }

  /**
   * Blocks in shares that end where a block's hash says so: where one is changed, put in or taken out, the shares next to it stay
   * what they were.
   */
  shares({ blocks, ...rest }: ElementBlocks, most: number): ElementBlocks[] {
    const shares: ElementBlocks["blocks"][number][][] = [];
    let open: ElementBlocks["blocks"][number][] = [];
    let held = 0;
    for (const block of blocks) {
      open.push(block);
      held += block.length;
      if (held < most && this.#digestOf(block.offset)[0] % BLOCKS !== 0) continue;
      shares.push(open);
      open = [];
      held = 0;
    }
    if (open.length > 0 || shares.length === 0) shares.push(open);
    return shares.map((share) => ({ ...rest, blocks: share }));
  }

  find(drawing: Drawing): Drawn | undefined {
    const bytes = this.#parts.find(this.#keyOf(drawing));
    if (!bytes) return undefined;
    const { runs, ...drawn } = deserialize(bytes) as Kept;
    const found: Run[] = [];
    for (const [i, length] of runs.entries()) {
      const path = this.#parts.findFile(this.#fileKey("run", drawing, i));
      const tiles = this.#parts.findFile(this.#fileKey("tiles", drawing, i));
      // It is drawn again, and replaced.
      if (path === undefined || tiles === undefined) return undefined;
      found.push({ path, bytes: length, tiles, kept: true });
    }
    return { ...drawn, runs: found };
  }

  /** @returns the same with its runs where they are from now on */
  keep(drawing: Drawing, { runs, ...drawn }: Drawn): Drawn {
    const kept = runs.map(({ path, bytes, tiles }, i): Run => {
      const put = (what: "run" | "tiles", file: string) => this.#parts.putFile(this.#fileKey(what, drawing, i), file);
      return { path: put("run", path), bytes, tiles: put("tiles", tiles), kept: true };
    });
    this.#parts.put(this.#keyOf(drawing), serialize({ ...drawn, runs: runs.map(({ bytes }) => bytes) } satisfies Kept));
    return { ...drawn, runs: kept };
  }

  #keyOf(drawing: Drawing): Uint8Array {
    const known = this.#keys.get(drawing);
    if (known) return known;
    const list = "blocks" in drawing ? drawing.blocks.list : [];
    const digests = list.map(({ offset }) => this.#digestOf(offset));
    const routes = list.map(({ offset }) => this.#routes?.get(offset) ?? "");
    const key = this.#parts.key("draw with routes", this.#how, routes.join(" "), ...digests);
    this.#keys.set(drawing, key);
    return key;
  }

  #fileKey = (what: "run" | "tiles", drawing: Drawing, run: number) =>
    this.#parts.key(what, this.#keyOf(drawing), `${run}`);

  #digestOf(offset: number): Uint8Array {
    const digest = this.#digests.get(offset);
    if (!digest) throw new Error(`no block begins at byte ${offset}`);
    return digest;
  }
}
