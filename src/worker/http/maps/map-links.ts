import { keyFromHeader } from "../../../core/auth/key.ts";
import { MAX_ZOOM } from "../../../core/maps/tiles/plane.ts";
import { TERRAIN_LAYERS, VECTOR_LAYERS } from "../../../core/maps/tiles/schema.ts";
import type { Basemap } from "../../geodata/basemap.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { digest } from "../serve/conditional.ts";
import { type Place, publicOrigin } from "../serve/connection.ts";

/** Bounds of the web Mercator square. */
const WORLD_BOUNDS = [-180, -85.051129, 180, 85.051129];

/** The parts of a request that links depend on. */
interface Asker {
  request: Request;
  caller: Caller;
  env: Place;
}

/**
 * A link to another endpoint of this platform with the caller's key in it, as a map fetches tiles and glyphs without headers.
 * A secret key is never put into a link: with one, every request must send its header. `path` can contain templates: {z}.
 */
export function linkTo(path: string, { request, caller, env }: Asker, fields: Record<string, string> = {}): string {
  const origin = publicOrigin(request, env);
  const { searchParams } = new URL(request.url);
  const key = keyFromHeader(request.headers.get("authorization")) ?? searchParams.get("publishableKey");
  const query = new URLSearchParams({ ...(key && !caller.secret && { publishableKey: key }), ...fields });
  const text = query.toString();
  return `${origin}${path}${text ? `?${text}` : ""}`;
}

/** A vector source as TileJSON 3 and MapLibre styles describe it. @param hills version of the hills, if the tiles have them */
export async function vectorSource(basemap: Basemap, asker: Asker, hills?: string) {
  const version = (await digest(`${basemap.version}${hills ?? ""}`)).slice(0, 12);
  const layers = hills !== undefined && { layers: "terrain" };
  return {
    tiles: [linkTo("/maps/tiles/{z}/{x}/{y}.mvt", asker, { ...layers, v: version })],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    attribution: attributionOf(basemap),
  };
}

/** TileJSON 3.0.0 (github.com/mapbox/tilejson-spec). */
export async function tileJson(basemap: Basemap, asker: Asker, hills?: string) {
  return {
    tilejson: "3.0.0",
    name: "Graticule basemap",
    description: "Vector tiles in the schema of the Protomaps basemap, version 4",
    scheme: "xyz",
    ...(await vectorSource(basemap, asker, hills)),
    bounds: WORLD_BOUNDS,
    vector_layers: hills === undefined ? VECTOR_LAYERS : [...VECTOR_LAYERS, ...TERRAIN_LAYERS],
  };
}

/** Raster tiles of a style, for libraries that read TileJSON. */
export async function rasterTileJson(
  basemap: Basemap,
  style: string,
  maxzoom: number,
  asker: Asker,
  fields: Record<string, string> = {},
) {
  const version = (await digest(basemap.version)).slice(0, 12);
  return {
    tilejson: "3.0.0",
    name: `Graticule ${style}`,
    scheme: "xyz",
    tiles: [linkTo(`/maps/raster/${encodeURIComponent(style)}/{z}/{x}/{y}.png`, asker, { ...fields, v: version })],
    minzoom: 0,
    maxzoom,
    attribution: attributionOf(basemap),
    bounds: WORLD_BOUNDS,
  };
}

/** The required attribution, as HTML with links. */
function attributionOf({ sources }: Basemap): string {
  const words = sources.flatMap(({ attribution, url }) =>
    attribution ? [url ? `<a href="${html(url)}" target="_blank">${html(attribution)}</a>` : html(attribution)] : [],
  );
  return [...new Set(words)].join(" · ");
}

function html(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
