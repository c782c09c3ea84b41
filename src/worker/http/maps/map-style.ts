import { builtInStyle } from "../../../core/maps/style/built-in.ts";
import { STYLE_NAMES } from "../../../core/maps/style/palettes.ts";
import type { MapStyle } from "../../../core/maps/style/style.ts";
import { UPLOAD_ID } from "../../answers/maps/icons.ts";
import { isBuiltIn, type StyleWishes, withLayers } from "../../answers/maps/style.ts";
import { getStyle } from "../../answers/maps/uploads.ts";
import type { Env } from "../../platform/env.ts";
import { notFound } from "../../platform/errors.ts";
import { staticMapQuery } from "../../wire/maps/static-map-fields.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { endpoint } from "../serve/endpoint.ts";
import { linkTo, vectorSource } from "./map-links.ts";
import { SPRITE_FOR_OTHERS } from "./map-sprite.ts";
import { basemapOf, hillsOf, jsonDocument } from "./map-tiles.ts";

const SOURCE = "basemap";
/** Metadata of a style: where maps have streets, for a note elsewhere. */
const STREETS = "graticule:streets";
const DRAWN: ReadonlySet<string> = new Set(["background", "fill", "line", "circle", "symbol"]);

export const mapStyle = endpoint({
  name: "mapStyle",
  method: "GET",
  path: "/maps/styles/:style",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns a style for interactive maps with MapLibre GL.",
  description:
    `A MapLibre style (version 8): ${STYLE_NAMES.join(", ")}, or the id of an uploaded one. It has the same layers as static maps. ` +
    "Its links to tiles, glyphs and sprite carry the caller's publishable key; with a secret key they carry none. The key may be " +
    "given as `publishableKey`. `metadata` lists in `graticule:streets` the areas with imported streets: west, south, east, north.",
  query: staticMapQuery.pick({ language: true, transit: true, layers: true }),
  media: ["application/json"],
  errors: [404],
  async handle(call) {
    const { params, query, request, env, caller } = call;
    const { layers, icons, ...style } = await styleOf(env, caller, params.style, query);
    const [basemap, hills] = await Promise.all([basemapOf(call), hillsOf(call, query)]);
    const areas = basemap.areas.map((bounds) => bounds.map((value) => Number(value.toFixed(5))));
    const text = JSON.stringify({
      ...style,
      metadata: { ...style.metadata, [STREETS]: areas },
      sources: { [SOURCE]: { type: "vector", ...(await vectorSource(basemap, call, hills)) } },
      glyphs: linkTo("/maps/glyphs/{fontstack}/{range}.pbf", call),
      sprite: linkTo(`/maps/sprites/${icons}`, call),
      layers: layers.map((layer) => (layer.type === "background" ? layer : { ...layer, source: SOURCE })),
    });
    return jsonDocument(request, text);
  },
});

/** A built-in or uploaded style, and the sprite with its icons. */
async function styleOf(
  env: Env,
  { scope }: Caller,
  name: string,
  wishes: StyleWishes,
): Promise<MapStyle & { icons: string }> {
  const { language, transit } = wishes;
  if (isBuiltIn(name)) return { ...withLayers(builtInStyle(name, language, transit), wishes), icons: name };
  const found = UPLOAD_ID.test(name) ? await getStyle(env, scope, name) : undefined;
  if (!found) throw notFound("Style");
  // Only these layer types draw vector tiles; the others are ignored, as in static maps.
  const { layers: all } = withLayers(found.style, wishes);
  const layers = all.filter(({ type }) => DRAWN.has(type));
  return { version: 8, name, layers, icons: SPRITE_FOR_OTHERS };
}
