import type { Bounds } from "../../geo/manifest.ts";
import { VECTOR_LAYERS } from "../../maps/tiles/schema.ts";
import { tileOfId } from "../../maps/tiles/tile-id.ts";
import type { LayerOutput } from "../layer.ts";
import type { Progress } from "../progress.ts";
import { assembleTile } from "./assemble-tile.ts";
import type { TileSpool } from "./spool.ts";
import { ArchiveWriter } from "./write-archive.ts";

/** The one object of the layer. `src/geodata/basemap.ts` reads it. */
export const BASEMAP_KEY = "basemap/tiles.pmtiles";

export interface ArchiveOptions {
  bounds: Bounds;
  minZoom: number;
  maxZoom: number;
  attribution: string;
}

/** Tile after tile from the spool into the layer's archive. */
export async function writeBasemap(
  spool: TileSpool,
  { bounds, minZoom, maxZoom, attribution }: ArchiveOptions,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  const archive = new ArchiveWriter();
  for (const { tileId, pieces } of spool.tiles()) {
    const bytes = assembleTile(tileOfId(tileId).z, pieces, (id) => spool.propertiesOf(id));
    if (bytes.length === 0) continue;
    await archive.add(tileId, bytes);
    progress.advance();
  }
  const metadata = {
    name: "Graticule basemap",
    description: "In the schema of the Protomaps basemap, version 4",
    type: "baselayer",
    version: "4",
    attribution,
    vector_layers: VECTOR_LAYERS,
  };
  const { bytes, addressed, contents } = await archive.finish({ bounds, minZoom, maxZoom, metadata });
  out.count("tiles", addressed);
  out.count("different tiles", contents);
  await out.write(BASEMAP_KEY, bytes);
}
