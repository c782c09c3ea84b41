import { createHash } from "node:crypto";
import { join } from "node:path";
import { decodeBlock, type ElementHandlers } from "../osm/pbf/decode-block.ts";
import { type MemberLine, NO_PLACE, type OsmRelation, type OsmWay } from "../osm/pbf/element.ts";
import type { Selection } from "../osm/pbf/selection.ts";
import { assemblePolygons } from "../osm/polygons/multipolygon.ts";
import type { ElementStore } from "../osm/read/read-extracts.ts";
import { blocksOf, type ElementKind, readBlocks } from "../osm/store/block-store.ts";
import type {
  ElementBlocks,
  Extract,
  LayerInput,
  LayerResources,
  Line,
  OperatorFiles,
  Polygon,
  ScanHandlers,
} from "./layer.ts";

/**
 * A multipolygon is put together in memory, some 150 bytes for each node of its ways. Whatever the memory, none is
 * larger: the largest boundaries in OpenStreetMap have some hundred thousand.
 */
const MAX_NODES = 2_000_000;

/** The element store as layers see it. `forLayer` narrows it to what one layer reads. */
export class ImportedElements {
  readonly store: ElementStore;
  readonly #files: OperatorFiles;
  readonly #digests = new Map<ElementKind, Promise<readonly Uint8Array[]>>();

  private constructor(store: ElementStore, files: OperatorFiles) {
    this.store = store;
    this.#files = files;
  }

  static async open(store: ElementStore, files: OperatorFiles): Promise<ImportedElements> {
    return new ImportedElements(store, files);
  }

  /** Hashes of the blocks of a kind: made once for all layers. */
  digests(kind: ElementKind): Promise<readonly Uint8Array[]> {
    const known = this.#digests.get(kind) ?? this.#hashed(kind);
    this.#digests.set(kind, known);
    return known;
  }

  async #hashed(kind: ElementKind): Promise<readonly Uint8Array[]> {
    const { folder, [kind]: index } = this.store;
    const digests: Uint8Array[] = [];
    for await (const bytes of blocksOf(join(folder, index.file), index.blocks))
      digests.push(createHash("sha256").update(bytes).digest());
    return digests;
  }

  /** `asked` collects which operator files the layer asks for. */
  forLayer(
    reads: Selection,
    count: (what: string) => void,
    resources: LayerResources,
    asked = new Set<keyof OperatorFiles>(),
  ): LayerInput {
    return new NarrowedInput(this, resources, noting(this.#files, asked), reads, count);
  }
}

/** The files, noting which of them are asked for. */
function noting(files: OperatorFiles, asked: Set<keyof OperatorFiles>): OperatorFiles {
  return new Proxy(files, {
    get(target, kind: keyof OperatorFiles) {
      asked.add(kind);
      return target[kind];
    },
  });
}

class NarrowedInput implements LayerInput {
  readonly resources: LayerResources;
  readonly extracts: readonly Extract[];
  readonly files: OperatorFiles;
  readonly #elements: ImportedElements;
  readonly #reads: Selection;
  readonly #count: (what: string) => void;

  constructor(
    elements: ImportedElements,
    resources: LayerResources,
    files: OperatorFiles,
    reads: Selection,
    count: (what: string) => void,
  ) {
    this.resources = resources;
    // One per part, as far as layers know.
    this.extracts = elements.store.extracts.flatMap((one) => one.areas.map((bounds) => ({ ...one, bounds })));
    this.files = files;
    this.#elements = elements;
    this.#reads = reads;
    this.#count = count;
  }

  async scan(handlers: ScanHandlers): Promise<void> {
    const { store } = this.#elements;
    const { members } = store;
    const pass = async (kind: ElementKind, use: ElementHandlers, reads: Selection) => {
      for await (const bytes of readBlocks(store.folder, store[kind])) {
        decodeBlock(bytes, use, reads);
        await handlers.pause?.();
      }
    };
    const { node, way, memberWay, relation } = handlers;
    if (node && this.#reads.nodes) await pass("nodes", { node }, this.#reads);
    if (way && this.#reads.ways) await pass("ways", { way }, this.#reads);
    if (memberWay) {
      await pass("ways", { way: (one) => void (members.has(one.id) && memberWay(one)) }, { ways: true });
    }
    if (relation && this.#reads.relations) await pass("relations", { relation }, this.#reads);
  }

  blocks(kind: ElementKind): ElementBlocks {
    const { folder, [kind]: index } = this.#elements.store;
    return { path: join(folder, index.file), blocks: index.blocks, reads: this.#reads };
  }

  digests(kind: ElementKind): Promise<readonly Uint8Array[]> {
    return this.#elements.digests(kind);
  }

  line(way: OsmWay): Line {
    const line: Line = [];
    const places = placesOf(way);
    for (let i = 0; i < places.length; i += 2) {
      if (places[i] === NO_PLACE) this.#count("nodes missing from lines");
      else line.push([places[i] / 1e7, places[i + 1] / 1e7]);
    }
    return line;
  }

  isWhole(way: OsmWay): boolean {
    return !placesOf(way).includes(NO_PLACE);
  }

  memberLines(relation: OsmRelation): readonly MemberLine[] {
    return [...this.#elements.store.memberLines.of(relation)];
  }

  multipolygon(relation: OsmRelation, { partial = false } = {}): readonly Polygon[] | undefined {
    const lines: MemberLine[] = [];
    let nodes = 0;
    for (const line of this.#elements.store.memberLines.of(relation)) {
      nodes += line.refs.length;
      if (nodes > MAX_NODES) {
        this.#count(`relations of more than ${MAX_NODES} nodes, left out`);
        return undefined;
      }
      lines.push(line);
    }
    const places = new Map<number, [number, number]>();
    for (const { refs, line } of lines) {
      for (let i = 0; i < refs.length; i++) {
        if (line[2 * i] !== NO_PLACE) places.set(refs[i], [line[2 * i] / 1e7, line[2 * i + 1] / 1e7]);
      }
    }
    const absent = relation.members.filter(({ type }) => type === "way").length - lines.length;
    const { polygons, open, missing } = assemblePolygons(
      lines.map(({ refs }) => refs),
      (node) => places.get(node),
    );
    const cut = absent > 0 || missing > 0;
    if (!cut && open === 0 && polygons.length > 0) return polygons;
    this.#count(cut ? "relations cut by the extract's edge" : "relations that do not close");
    return partial && polygons.length > 0 ? polygons : undefined;
  }
}

function placesOf({ id, line }: OsmWay): Int32Array {
  if (!line) throw new Error(`way ${id} is none that \`scan\` gave: it has no line`);
  return line;
}
