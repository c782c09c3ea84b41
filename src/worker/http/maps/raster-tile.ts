import { z } from "zod";
import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { SharedReads } from "../../../core/geo/builds/shared-reads.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { tilesBehind } from "../../../core/maps/base/view.ts";
import {
  blockOf,
  layOutBlock,
  RASTER_SIZE,
  type RasterBlock,
  renderTiles,
  viewAround,
  viewOfBlock,
} from "../../../core/maps/raster-block.ts";
import { RENDERER_VERSION } from "../../../core/maps/render.ts";
import { STYLE_NAMES } from "../../../core/maps/style/palettes.ts";
import { MAX_ZOOM } from "../../../core/maps/tiles/plane.ts";
import { lackHeader, noteLack, noteLackOf, tellLack } from "../../answers/maps/lacking-glyphs.ts";
import { mapFonts, readyToDraw } from "../../answers/maps/map-assets.ts";
import { type ReadyStyle, styleFor, wantsTerrain } from "../../answers/maps/style.ts";
import { type Basemap, openBasemap } from "../../geodata/basemap.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { mapTiles } from "../../geodata/map-tiles.ts";
import { terrainSources, terrainTiles, terrainVersion } from "../../geodata/terrain.ts";
import { languageField, layersField, transitField } from "../../wire/maps/static-map-fields.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { endpoint, MediaReply } from "../serve/endpoint.ts";
import { rasterTileJson as tileJson } from "./map-links.ts";
import { basemapOf, jsonDocument, wholeNumber } from "./map-tiles.ts";

/** Vector tiles have a lower maximum zoom; beyond it they are scaled up. */
const MAX_RASTER_ZOOM = 22;

const query = z.object({ language: languageField(), transit: transitField(), layers: layersField() });
const STYLES = `${STYLE_NAMES.join(", ")}, or the id of your own style`;

/** Finished tiles in the isolate's memory: a map requests the tiles of a metatile one after the other. */
const kept = new BoundedCache(6 * 1024 * 1024);
const drawing = new SharedReads();

export const rasterTile = endpoint({
  name: "rasterTile",
  method: "GET",
  repeats: true,
  path: "/maps/raster/:style/:z/:x/:y",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns a raster tile of the map, for Leaflet, OpenLayers and others.",
  description:
    `PNG of ${RASTER_SIZE} × ${RASTER_SIZE} pixels, or twice that with \`@2x\`: \`y\` is \`{y}.png\`, \`{y}@2x.png\` or \`{y}\`. \`style\`: ${STYLES}. ` +
    `Zooms 0 to ${MAX_RASTER_ZOOM}, in the usual scheme (the world is 256 × 2^z pixels wide). Tiles have no attribution: show the one of ` +
    "`tiles.json`, or of the header `x-graticule-attribution`. You can pass the key as `publishableKey`.",
  query,
  media: ["image/png"],
  async handle(call) {
    const { request, params, env, caller, query, waitUntil } = call;
    const zoom = wholeNumber("z", params.z, MAX_RASTER_ZOOM);
    const x = wholeNumber("x", params.x, 2 ** zoom - 1);
    const [, row, twice] = /^(\d+)(@2x)?(?:\.png)?$/.exec(params.y) ?? [];
    const y = wholeNumber("y", row ?? "", 2 ** zoom - 1);
    const geodata = await openGeodata(env.GEODATA, call);
    const [basemap, style] = await Promise.all([
      openBasemap(geodata, env.GEODATA, env.BASEMAP_ARCHIVE),
      styleFor(env, caller, params.style, query),
    ]);
    const hills = wantsTerrain(query) ? geodata : undefined;
    const block = blockOf(zoom, x, y, twice ? 2 : 1);
    const name = [
      RENDERER_VERSION,
      basemap.version,
      style.version,
      query.language ?? "",
      Number(query.transit),
      block.scale,
      ...(hills ? [terrainVersion(hills)] : []),
    ];
    const etagAt = (column: number, line: number) => etagOf("raster", ...name, zoom, column, line);
    const etag = await etagAt(x, y);
    const view = viewOfBlock({ ...block, x, y, side: 1 });
    call.credit(basemap.sourcesIn(tilesBehind(view, MAX_ZOOM)));
    if (hills) call.credit(terrainSources(hills, view));
    const same = notModified(request, etag, { "cache-control": FRESH_FOR_A_DAY });
    if (same) return same;
    const found = await cached(etag);
    if (found) {
      tellLack(etag, call);
      return new MediaReply(found as BufferSource, headersOf(etag));
    }

    const drawn = await drawing.read([...name, block.z, block.x, block.y].join("/"), async () => {
      const at = kept.get(etag)?.value as Uint8Array | undefined;
      if (at) return [];
      const { images, lacksGlyphs, isWhole } = await draw(basemap, style, block, hills, call.pace);
      if (!isWhole) return images;
      for (const [i, bytes] of images.entries()) {
        const own = await etagAt(block.x + (i % block.side), block.y + Math.floor(i / block.side));
        kept.put(own, bytes, bytes.length);
        noteLack(own, lacksGlyphs);
        const headers = { ...headersOf(own), ...lackHeader(own) };
        waitUntil(caches.default.put(cacheKey(own), new Response(bytes as BufferSource, { headers })));
      }
      return images;
    });
    const bytes =
      (kept.get(etag)?.value as Uint8Array | undefined) ?? drawn[(y - block.y) * block.side + (x - block.x)];
    tellLack(etag, call);
    // Hills without a damaged block were not kept.
    const isWhole = basemap.whole && (!hills || kept.get(etag) !== undefined);
    return new MediaReply(bytes as BufferSource, headersOf(isWhole ? etag : undefined));
  },
});

export const rasterTileJson = endpoint({
  name: "rasterTileJson",
  method: "GET",
  path: "/maps/raster/:style/tiles.json",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns the TileJSON 3 of a style's raster tiles.",
  description: `\`style\`: ${STYLES}. The links carry the caller's publishable key. You can pass the key as \`publishableKey\`.`,
  query,
  media: ["application/json"],
  async handle(call) {
    const { params, env, caller, query } = call;
    const [basemap] = await Promise.all([basemapOf(call), styleFor(env, caller, params.style, query)]);
    const fields = {
      ...(query.language !== undefined && { language: query.language }),
      ...(query.transit && { transit: "true" }),
      ...(query.layers && { layers: query.layers.join() }),
    };
    return jsonDocument(
      call.request,
      JSON.stringify(await tileJson(basemap, params.style, MAX_RASTER_ZOOM, call, fields)),
    );
  },
});

async function draw(
  basemap: Basemap,
  { style, icons, form }: ReadyStyle,
  block: RasterBlock,
  hills: Geodata | undefined,
  pace: Pace,
): Promise<{ images: Uint8Array[]; lacksGlyphs: boolean; isWhole: boolean }> {
  readyToDraw();
  const around = viewAround(block);
  const terrain = hills ? await terrainTiles(hills, around, pace) : { drawn: [], isWhole: true };
  const tiles = [...(await mapTiles(basemap, around, pace)), ...terrain.drawn];
  const fonts = mapFonts(basemap, tiles);
  const scene = await layOutBlock(block, { scale: block.scale, style, icons, tiles, form }, fonts, pace);
  return {
    images: await renderTiles(scene, block, fonts, pace),
    lacksGlyphs: scene.lacksGlyphs,
    isWhole: basemap.whole && terrain.isWhole,
  };
}

/** `etag` absent: drawn without an unreadable part, so it must not be cached. */
function headersOf(etag: string | undefined): Record<string, string> {
  const type = { "content-type": "image/png" };
  return etag ? { ...type, etag, "cache-control": FRESH_FOR_A_DAY } : { ...type, "cache-control": "no-store" };
}

/** The cache key of a tile in a data center: not a real host, and without an API key. */
const cacheKey = (etag: string) => `https://raster-tile.invalid/${etag.replaceAll('"', "")}`;

async function cached(etag: string): Promise<Uint8Array | undefined> {
  const known = kept.get(etag);
  if (known) return known.value as Uint8Array;
  const response = await caches.default.match(cacheKey(etag));
  if (!response) return undefined;
  noteLackOf(etag, response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  kept.put(etag, bytes, bytes.length);
  return bytes;
}
