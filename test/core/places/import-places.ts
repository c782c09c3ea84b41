import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TileSource } from "../../../src/core/geo/builds/tile-source.ts";
import type { Place } from "../../../src/core/places/place.ts";
import { PlaceTile } from "../../../src/core/places/tile.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import { ImportedElements } from "../../../src/importer/frame/layer-input.ts";
import { StepFolder } from "../../../src/importer/frame/stores/step-folder.ts";
import { placesLayer } from "../../../src/importer/layers/places/places-layer.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { readExtracts } from "../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { plainResources } from "../../support/layer-resources.ts";
import { layerOutput } from "../regions/layer-harness.ts";

export interface ImportedPlaces {
  objects: Map<string, Uint8Array>;
  counts: Record<string, number>;
  /** Every place, read back from the tiles it is at home in. */
  places: Place[];
}

/** Extracts (or elements, written to one first) through the importer's frame and the places layer. */
export async function importPlaces(
  input: string | Iterable<OsmElement>,
  operatorFile?: string,
  overturePlaces?: string,
): Promise<ImportedPlaces> {
  const folder = mkdtempSync(join(tmpdir(), "places-"));
  try {
    const path = typeof input === "string" ? input : join(folder, "world.osm.pbf");
    if (typeof input !== "string") await writePbf(path, input);
    const work = await StepFolder.open(join(folder, "work"), silent);
    try {
      const store = await readExtracts([path], placesLayer.reads, work);
      const elements = await ImportedElements.open(store, {
        places: operatorFile,
        addresses: [],
        ...(overturePlaces !== undefined && { overturePlaces }),
      });
      const { objects, counts, out } = layerOutput();
      await placesLayer.build(
        elements.forLayer(placesLayer.reads, (what) => out.count(what), plainResources(store)),
        out,
        quiet,
      );
      return { objects, counts, places: placesIn(objects) };
    } finally {
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function placesIn(objects: ReadonlyMap<string, Uint8Array>): Place[] {
  return [...objects].flatMap(([key, bytes]) => {
    if (!key.startsWith("places/tile/")) return [];
    const tile = new PlaceTile(bytes);
    return Array.from({ length: tile.home }, (_, i) => tile.place(i));
  });
}

/** A source that counts what is read from it. */
export function countingSource(
  objects: ReadonlyMap<string, Uint8Array>,
): TileSource & { reads: number; bytes: number } {
  const source = {
    reads: 0,
    bytes: 0,
    async read(key: string) {
      source.reads++;
      source.bytes += objects.get(key)?.length ?? 0;
      return objects.get(key);
    },
  };
  return source;
}

/** The path of an extract of real data, or undefined where there is none. */
export function extract(name: string): string | undefined {
  const folder = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}
