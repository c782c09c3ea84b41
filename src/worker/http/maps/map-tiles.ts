import { z } from "zod";
import { MAX_ZOOM } from "../../../core/maps/tiles/plane.ts";
import { type StyleWishes, wantsTerrain } from "../../answers/maps/style.ts";
import { type Basemap, openBasemap } from "../../geodata/basemap.ts";
import { openGeodata } from "../../geodata/live.ts";
import { tileAsSent } from "../../geodata/map-tiles.ts";
import { terrainSources, terrainVersion } from "../../geodata/terrain.ts";
import { terrainTileAsSent } from "../../geodata/terrain-sent.ts";
import type { Asker } from "../../platform/call.ts";
import { invalid } from "../../platform/errors.ts";
import { layersField } from "../../wire/maps/static-map-fields.ts";
import { acceptsGzip } from "../serve/accepts-gzip.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { endpoint, MediaReply } from "../serve/endpoint.ts";
import { tileJson } from "./map-links.ts";

const chapter = "Maps";
const TILE_TYPE = "application/vnd.mapbox-vector-tile";
/** TileJSON can change with the next import. */
const FRESH_FOR_A_MINUTE = "public, max-age=60";

/** The basemap of the live builds. */
export async function basemapOf(call: Asker): Promise<Basemap> {
  const { env } = call;
  const geodata = await openGeodata(env.GEODATA, call);
  return openBasemap(geodata, env.GEODATA, env.BASEMAP_ARCHIVE);
}

/** What links to tiles with these layers depend on in addition. */
export async function hillsOf(call: Asker, wishes: StyleWishes): Promise<string | undefined> {
  if (!wantsTerrain(wishes)) return undefined;
  return terrainVersion(await openGeodata(call.env.GEODATA, call));
}

export const mapTile = endpoint({
  name: "mapTile",
  method: "GET",
  repeats: true,
  path: "/maps/tiles/:z/:x/:y",
  level: "publishable",
  geodataOnly: true,
  chapter,
  summary: "Returns a vector tile of the basemap, for MapLibre GL and others.",
  description:
    "Mapbox Vector Tile in the schema of the Protomaps basemap, version 4; `y` may end in `.mvt` or `.pbf`. Zooms 0 to " +
    `${MAX_ZOOM}. 204 if the tile is empty. \`layers=terrain\` adds the layers \`hillshade\` (\`kind\`: shadow or highlight; \`level\`) and ` +
    "`contour` (`ele` in meters, `kind`: index or normal). You can pass the key as `publishableKey`.",
  query: z.object({ layers: layersField() }),
  media: [TILE_TYPE],
  errors: [204],
  async handle(call) {
    const { request, params, query, env } = call;
    const zoom = wholeNumber("z", params.z, MAX_ZOOM);
    const x = wholeNumber("x", params.x, 2 ** zoom - 1);
    const y = wholeNumber("y", params.y.replace(/\.(mvt|pbf)$/, ""), 2 ** zoom - 1);
    const tileId = { z: zoom, x, y };
    const geodata = await openGeodata(env.GEODATA, call);
    const basemap = await openBasemap(geodata, env.GEODATA, env.BASEMAP_ARCHIVE);
    const hasTerrain = wantsTerrain(query);
    const etag = await etagOf(basemap.version, zoom, x, y, ...(hasTerrain ? [terrainVersion(geodata)] : []));
    const fresh = { etag, "cache-control": FRESH_FOR_A_DAY, vary: "Accept-Encoding" };
    const known = notModified(request, etag, fresh);
    if (known) return known;
    const gzip = acceptsGzip(request);
    const { tile, isWhole } = hasTerrain
      ? await terrainTileAsSent(geodata, basemap, tileId, gzip, call.pace)
      : { tile: await tileAsSent(basemap, tileId, gzip, call.pace), isWhole: true };
    // A tile drawn without a damaged part must not be cached, or it would later pass for the complete tile.
    const headers: Record<string, string> = basemap.whole && isWhole ? fresh : { "cache-control": "no-store" };
    call.credit(basemap.sourcesIn([tileId]));
    if (hasTerrain) call.credit(terrainSources(geodata, tileId));
    if (!tile) return new Response(null, { status: 204, headers });
    return new Response(tile as BufferSource, {
      headers: { ...headers, "content-type": TILE_TYPE, ...(gzip && { "content-encoding": "gzip" }) },
      // Otherwise the runtime would compress an already compressed body.
      ...(gzip && { encodeBody: "manual" }),
    });
  },
});

export const mapTileJson = endpoint({
  name: "mapTileJson",
  method: "GET",
  path: "/maps/tiles.json",
  level: "publishable",
  geodataOnly: true,
  chapter,
  summary: "Returns the TileJSON 3 of the vector tiles.",
  description: "The links carry the caller's publishable key. You can pass the key as `publishableKey`.",
  query: z.object({ layers: layersField() }),
  media: ["application/json"],
  async handle(call) {
    const hills = await hillsOf(call, call.query);
    const text = JSON.stringify(await tileJson(await basemapOf(call), call, hills));
    return jsonDocument(call.request, text);
  },
});

/** A document that depends on the live builds and on the caller. */
export async function jsonDocument(request: Request, text: string): Promise<MediaReply> {
  const etag = await etagOf(text);
  const headers = { "cache-control": FRESH_FOR_A_MINUTE, vary: "Authorization" };
  return (
    notModified(request, etag, headers) ??
    new MediaReply(text, { etag, ...headers, "content-type": "application/json; charset=utf-8" })
  );
}

export function wholeNumber(name: string, text: string, max: number): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw invalid(name, `Valid range: [0, ${max}].`);
  return value;
}
