import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bounds } from "../../../../src/core/geo/builds/manifest.ts";
import { TileArchive } from "../../../../src/core/maps/tiles/archive.ts";
import { decodeTile, type TileFeature } from "../../../../src/core/maps/tiles/mvt.ts";
import { planeX, planeY, WORLD_SIZE } from "../../../../src/core/maps/tiles/plane.ts";
import { quiet } from "../../../../src/importer/common/progress.ts";
import type { Layer } from "../../../../src/importer/frame/layer.ts";
import { ImportedElements } from "../../../../src/importer/frame/layer-input.ts";
import { StepFolder } from "../../../../src/importer/frame/stores/step-folder.ts";
import { basemapLayer } from "../../../../src/importer/layers/basemap/basemap-layer.ts";
import { BASEMAP_KEY } from "../../../../src/importer/layers/basemap/steps/archive-of-runs.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import { readExtracts } from "../../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { layerOutput } from "../../../core/regions/layer-harness.ts";
import { plainResources } from "../../../support/layer-resources.ts";

export interface ImportedBasemap {
  bytes: Uint8Array;
  counts: Record<string, number>;
  archive: TileArchive;
  /** What a layer of the tile at a place holds. */
  features(layer: string, zoom: number, longitude: number, latitude: number): Promise<TileFeature[]>;
}

/** Elements, or an extract's path, through the importer's frame and the basemap layer. */
export async function importBasemap(
  input: string | readonly OsmElement[],
  bounds?: Bounds,
  layer: Layer = basemapLayer,
): Promise<ImportedBasemap> {
  const folder = mkdtempSync(join(tmpdir(), "basemap-test-"));
  try {
    const path = typeof input === "string" ? input : join(folder, "world.osm.pbf");
    if (typeof input !== "string") await writePbf(path, sorted(input), { bounds });
    const work = await StepFolder.open(join(folder, "work"), silent);
    try {
      const store = await readExtracts([path], layer.reads, work);
      const elements = await ImportedElements.open(store, { addresses: [] });
      const { objects, counts, out } = layerOutput();
      await layer.build(
        elements.forLayer(layer.reads, (what) => out.count(what), plainResources(store)),
        out,
        quiet,
      );
      return await opened(objects.get(BASEMAP_KEY)!, counts);
    } finally {
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function opened(bytes: Uint8Array, counts: Record<string, number>): Promise<ImportedBasemap> {
  const leaves = new Map();
  const archive = await TileArchive.open(async (offset, length) => bytes.subarray(offset, offset + length), {
    get: (key) => leaves.get(key),
    put: (key, leaf) => void leaves.set(key, leaf),
  });
  return {
    bytes,
    counts,
    archive,
    async features(layer, zoom, longitude, latitude) {
      const side = 2 ** zoom;
      const [x, y] = [planeX(longitude), planeY(latitude)].map((at) => Math.floor((at / WORLD_SIZE) * side));
      const tile = await archive.tile(zoom, x, y);
      return (tile ? decodeTile(tile) : []).find(({ name }) => name === layer)?.features ?? [];
    },
  };
}

function sorted(elements: readonly OsmElement[]): OsmElement[] {
  const order = { node: 0, way: 1, relation: 2 };
  return [...elements].sort((a, b) => order[a.type] - order[b.type] || a.id - b.id);
}

/** Elements of a small world: each line brings its nodes along; the same corner is the same node. */
export class Sketch {
  readonly elements: OsmElement[] = [];
  readonly #nodes = new Map<string, number>();
  #id = 1000;

  node(longitude: number, latitude: number, tags: Tags = {}): number {
    const key = `${longitude} ${latitude}`;
    const known = this.#nodes.get(key);
    if (known !== undefined && Object.keys(tags).length === 0) return known;
    const id = this.#id++;
    this.elements.push({ type: "node", id, longitude, latitude, tags });
    if (known === undefined) this.#nodes.set(key, id);
    return id;
  }

  way(corners: readonly (readonly [longitude: number, latitude: number])[], tags: Tags): number {
    const refs = corners.map(([longitude, latitude]) => this.node(longitude, latitude));
    const id = this.#id++;
    this.elements.push({ type: "way", id, refs, tags });
    return id;
  }

  /** An area with its corner in the south-west, counter-clockwise. */
  square(west: number, south: number, size: number, tags: Tags): number {
    const [east, north] = [west + size, south + size];
    return this.way(
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
      tags,
    );
  }

  relation(ways: readonly number[], tags: Tags): number {
    const id = this.#id++;
    const members = ways.map((ref) => ({ type: "way" as const, ref, role: "" }));
    this.elements.push({ type: "relation", id, members, tags });
    return id;
  }
}
