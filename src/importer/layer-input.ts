import type { Coordinate } from "../geo/coordinate.ts";
import type { Extract, LayerInput, Line, OperatorFiles, Polygon, Workroom } from "./layer.ts";
import { type ElementKind, readBlocks } from "./osm/block-store.ts";
import { decodeBlock } from "./osm/decode-block.ts";
import type { OsmNode, OsmRelation, OsmWay } from "./osm/element.ts";
import type { NodeLocations } from "./osm/locations.ts";
import { assemblePolygons } from "./osm/multipolygon.ts";
import type { ElementStore } from "./osm/read-extracts.ts";
import type { Selection } from "./osm/selection.ts";
import { quiet } from "./progress.ts";
import { LayerRoom } from "./workroom.ts";

/** Refs of the ways that are members of relations: one flat list, found by the way's rank among the members. */
interface MemberWays {
  starts: Uint32Array;
  lengths: Uint32Array;
  refs: Float64Array;
}

/** The element store as layers see it. `forLayer` narrows it to what one layer reads. */
export class ImportedElements {
  readonly store: ElementStore;
  readonly #files: OperatorFiles;
  readonly #members: MemberWays;

  private constructor(store: ElementStore, files: OperatorFiles, members: MemberWays) {
    this.store = store;
    this.#files = files;
    this.#members = members;
  }

  static async open(store: ElementStore, files: OperatorFiles): Promise<ImportedElements> {
    return new ImportedElements(store, files, await loadMembers(store));
  }

  /** `asked` collects which operator files the layer asks for. */
  forLayer(
    reads: Selection,
    count: (what: string) => void,
    room: Workroom = new LayerRoom(`${this.store.folder}/layer`, quiet),
    asked = new Set<keyof OperatorFiles>(),
  ): LayerInput {
    return new NarrowedInput(this, room, noting(this.#files, asked), reads, count);
  }

  memberRefs(wayId: number): readonly number[] | undefined {
    const { starts, lengths, refs } = this.#members;
    const rank = this.store.members.rank(wayId);
    if (rank < 0 || lengths[rank] === 0) return undefined;
    return Array.from(refs.subarray(starts[rank], starts[rank] + lengths[rank]));
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
  readonly room: Workroom;
  readonly extracts: readonly Extract[];
  readonly files: OperatorFiles;
  readonly locations: NodeLocations;
  readonly #elements: ImportedElements;
  readonly #reads: Selection;
  readonly #count: (what: string) => void;

  constructor(
    elements: ImportedElements,
    room: Workroom,
    files: OperatorFiles,
    reads: Selection,
    count: (what: string) => void,
  ) {
    this.room = room;
    this.extracts = elements.store.extracts;
    this.files = files;
    this.locations = elements.store.locations;
    this.#elements = elements;
    this.#reads = reads;
    this.#count = count;
  }

  async scan(handlers: {
    node?(node: OsmNode): void;
    way?(way: OsmWay): void;
    relation?(relation: OsmRelation): void;
  }): Promise<void> {
    const { store } = this.#elements;
    const pass = async (kind: ElementKind, handler: unknown) => {
      if (!handler || !this.#reads[kind]) return;
      const path = `${store.folder}/${kind}.blocks`;
      for await (const bytes of readBlocks(path, store[kind])) decodeBlock(bytes, handlers, this.#reads);
    };
    await pass("nodes", handlers.node);
    await pass("ways", handlers.way);
    await pass("relations", handlers.relation);
  }

  location(nodeId: number): Coordinate | undefined {
    return this.locations.get(nodeId);
  }

  line(way: OsmWay): Line {
    const line: Line = [];
    for (const ref of way.refs) {
      const place = this.#pair(ref);
      if (place) line.push(place);
      else this.#count("nodes missing from lines");
    }
    return line;
  }

  isWhole(way: OsmWay): boolean {
    return way.refs.every((ref) => this.locations.indexOf(ref) >= 0);
  }

  multipolygon(relation: OsmRelation, { partial = false } = {}): readonly Polygon[] | undefined {
    const ways: (readonly number[])[] = [];
    let absent = 0;
    for (const { type, ref } of relation.members) {
      if (type !== "way") continue;
      const refs = this.memberRefs(ref);
      if (refs) ways.push(refs);
      else absent++;
    }
    const { polygons, open, missing } = assemblePolygons(ways, (node) => this.#pair(node));
    const cut = absent > 0 || missing > 0;
    if (!cut && open === 0 && polygons.length > 0) return polygons;
    this.#count(cut ? "relations cut by the extract's edge" : "relations that do not close");
    return partial && polygons.length > 0 ? polygons : undefined;
  }

  memberRefs(wayId: number): readonly number[] | undefined {
    return this.#elements.memberRefs(wayId);
  }

  #pair(node: number): [number, number] | undefined {
    const index = this.locations.indexOf(node);
    if (index < 0) return undefined;
    const { latitudes, longitudes } = this.locations.arrays;
    return [longitudes[index] / 1e7, latitudes[index] / 1e7];
  }
}

async function loadMembers(store: ElementStore): Promise<MemberWays> {
  const { members, ways, folder } = store;
  const starts = new Uint32Array(members.size);
  const lengths = new Uint32Array(members.size);
  let refs = new Float64Array(1024);
  let used = 0;
  const way = ({ id, refs: list }: OsmWay) => {
    const rank = members.rank(id);
    if (rank < 0) return;
    if (used + list.length > refs.length) {
      const larger = new Float64Array(Math.max(refs.length * 2, used + list.length));
      larger.set(refs);
      refs = larger;
    }
    starts[rank] = used;
    lengths[rank] = list.length;
    refs.set(list, used);
    used += list.length;
  };
  if (members.size > 0) {
    for await (const bytes of readBlocks(`${folder}/ways.blocks`, ways)) decodeBlock(bytes, { way }, { ways: true });
  }
  return { starts, lengths, refs };
}
