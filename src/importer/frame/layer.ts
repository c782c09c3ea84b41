import type { Bounds, DataSource } from "../../core/geo/builds/manifest.ts";
import type { CachedParts } from "../common/cached-parts.ts";
import type { Progress } from "../common/progress.ts";
import type { MemberLine, OsmNode, OsmRelation, OsmWay } from "../osm/pbf/element.ts";
import type { Selection } from "../osm/pbf/selection.ts";
import type { Line, Polygon } from "../osm/polygons/polygon.ts";
import type { Extract } from "../osm/read/read-extracts.ts";
import type { ElementKind } from "../osm/store/block-store.ts";
import type { ImportCounts } from "../report/import-counts.ts";

export type { Bounds, CachedParts, DataSource, Extract, Line, Polygon };

/**
 * One kind of geodata made from an import: regions, places, roads … A layer says which OSM elements it wants; the frame
 * reads the extracts once for all layers, sorts, drops duplicates, resolves locations, and calls `build` layer by
 * layer. Same input, same bytes: no clock, no randomness, no dependence on the order of callbacks from elsewhere.
 */
export interface Layer {
  /** kebab-case; also the first part of its keys: regions/…, places/… */
  readonly name: string;
  /** The version its objects carry. The manifest repeats it, so that a Worker knows before it reads. */
  readonly formatVersion: number;
  /** One line for `--help` and the report. */
  readonly summary: string;
  /**
   * The elements it sees in `input.scan`. Member ways of wanted relations are kept for `multipolygon` without asking.
   */
  readonly reads: Selection;
  /**
   * The operator files it looks at. Where every layer of an import says so, a file that no layer reads is rejected
   * once; otherwise when the layers are built and none has asked for it.
   */
  readonly files?: readonly (keyof OperatorFiles)[];
  /**
   * Reads an operator file completely and discards the result: a mistake is reported before the import starts.
   */
  readonly checks?: { readonly [kind in keyof OperatorFiles]?: (path: string) => unknown };
  /** Bytes of `resources.memory` below which it cannot work, for so much data. */
  minMemory?(counts: ImportCounts): number;
  build(input: LayerInput, out: LayerOutput, progress: Progress): Promise<void>;
}

/** Files an operator names on the command line; absolute paths. */
export interface OperatorFiles {
  /** --dma: counties to designated market areas (CSV). */
  readonly dma?: string;
  /** --postal-codes (CSV or GeoJSON, as the layer documents). */
  readonly postalCodes?: string;
  /** --places (CSV). */
  readonly places?: string;
  /** --speeds (CSV): how fast traffic flows, see roads/speed-file.ts. */
  readonly speeds?: string;
  /** Which tiles of an archive of elevations are imported (sources/elevation-tiles.ts). */
  readonly elevation?: string;
  /** The elevations of live builds around the extracts (common/ground-plan.ts). */
  readonly ground?: string;
  /** What is imported of a release of Overture Maps, by kind (sources/overture/fetch-overture.ts). */
  readonly overtureAddresses?: string;
  readonly overturePlaces?: string;
  readonly overtureDivisions?: string;
  /** OpenAddresses CSV files, unpacked. */
  readonly addresses: readonly string[];
}

/** Resources that a layer may use while it builds. */
export interface LayerResources {
  /** Bytes it may hold at a time, its threads included. */
  readonly memory: number;
  /** Threads it may keep busy while the main one waits; 0: work in place. */
  readonly threads: number;
  /** Path of a temporary file; removed when the layer is done. */
  path(name: string): string;
  /**
   * A part of the layer's work whose result (plain data) is remembered: after an interruption it is not done again. The
   * files it made under `path` are complete when it returns; objects it wrote are kept too.
   */
  step<T>(name: string, run: (progress: Progress) => Promise<T>): Promise<T>;
  /** Cached results of earlier imports, for layers that know the inputs of each result; absent without a cache. */
  readonly parts?: CachedParts;
}

export interface ScanHandlers {
  node?(node: OsmNode): void;
  /** Ways carry the places of their nodes (`line`). */
  way?(way: OsmWay): void;
  /** Ways that are members of any relation that some layer reads, by ascending id, after the layer's own ways. */
  memberWay?(way: OsmWay): void;
  relation?(relation: OsmRelation): void;
  /**
   * Asked after each block of some thousand elements: what it returns is waited for before the next. For handlers whose
   * work continues elsewhere and must not pile up.
   */
  pause?(): Promise<void> | undefined;
}

/** Elements of one kind: blocks of a file, among others' elements those that the layer reads. */
export interface ElementBlocks {
  readonly path: string;
  readonly blocks: readonly { offset: number; length: number }[];
  readonly reads: Selection;
}

export interface LayerInput {
  readonly resources: LayerResources;
  readonly extracts: readonly Extract[];
  readonly files: OperatorFiles;
  /**
   * One pass over the elements the layer reads: nodes, then ways, then relations, each by ascending id, each id once.
   * May be called any number of times.
   */
  scan(handlers: ScanHandlers): Promise<void>;
  /** The same elements as they are on disk, for threads that decode them (`decodeBlock` with `reads`). */
  blocks(kind: ElementKind): ElementBlocks;
  /** A hash of each of these blocks, to find unchanged blocks of a previous import. */
  digests(kind: ElementKind): Promise<readonly Uint8Array[]>;
  /**
   * The coordinates of a way that `scan` gave, in order; nodes the extract lacks are skipped (and counted in the
   * manifest). Kernels read `way.line`.
   */
  line(way: OsmWay): Line;
  /** Is every node of the way in the extract? A way cut by the extract's edge may not be. */
  isWhole(way: OsmWay): boolean;
  /**
   * The area that the way members of a multipolygon or boundary relation bound; undefined when it is not all there (cut
   * by the extract's edge, or broken), which is counted. With `partial`, the polygons whose rings do close.
   */
  multipolygon(relation: OsmRelation, options?: { partial?: boolean }): readonly Polygon[] | undefined;
  /**
   * The ways that are members of a relation that `scan` gave, in the order of its members, with their lines; those that the
   * extract lacks are skipped. Read from disk each time.
   */
  memberLines(relation: OsmRelation): readonly MemberLine[];
}

/** An object that comes piece by piece, of any size. */
export interface ObjectStream {
  /** Bytes so far. */
  readonly length: number;
  /** The bytes may be reused once the promise resolves; calls need not wait for each other. */
  append(bytes: Uint8Array): Promise<void>;
  /** Overwrites bytes that were appended before: a header, once the lengths in it are known. */
  patch(offset: number, bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

export interface LayerOutput {
  /**
   * One immutable object of the build. Keys: the layer's name, a slash, then [a-z0-9._/-]; each key once. The bytes may
   * be reused once the promise resolves.
   */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** The same for an object that is too large for memory, or whose beginning is known last. Ends within one step. */
  stream(key: string): Promise<ObjectStream>;
  /** Adds to a count that the manifest and the report show: count("places", 1), count("skipped: no name", 1). */
  count(what: string, by?: number): void;
  /**
   * A line for the person who runs the import: what was skipped of a file, and why. The first 50 of a layer are shown.
   */
  note(text: string): void;
  /**
   * Declares an area where the layer has data; may be called for several areas. A layer that declares none has data
   * where the extracts are; one that writes no object has none anywhere: it is not live, and hides nothing of other
   * builds.
   */
  area(bounds: Bounds): void;
  /** Data other than the extracts that went in. Each name once. */
  source(source: DataSource): void;
}
