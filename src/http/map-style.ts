import { z } from "zod";
import { builtInStyle } from "../maps/style/built-in.ts";
import { STYLE_NAMES } from "../maps/style/palettes.ts";
import { endpoint } from "./endpoint.ts";
import { notFound } from "./errors.ts";
import { linkTo, vectorSource } from "./map-links.ts";
import { basemapOf, jsonDocument } from "./map-tiles.ts";
import { staticMapQuery } from "./static-map-fields.ts";
import { isBuiltIn } from "./static-map-style.ts";

const SOURCE = "basemap";

export const mapStyle = endpoint({
  name: "mapStyle",
  method: "GET",
  path: "/maps/styles/:style",
  level: "publishable",
  chapter: "Maps",
  summary: "A style for interactive maps with MapLibre GL.",
  description:
    `A MapLibre style (version 8): ${STYLE_NAMES.join(", ")}. The same layers as static maps draw. Its links to tiles, glyphs and ` +
    "sprite carry the caller's publishable key; with a secret key they carry none. The key may be given as `publishableKey`.",
  query: z.object({ language: staticMapQuery.shape.language }),
  media: "application/json",
  errors: [404],
  async handle(call) {
    const { params, query, request } = call;
    if (!isBuiltIn(params.style)) throw notFound("Style");
    const basemap = await basemapOf(call);
    const { layers, ...style } = builtInStyle(params.style, query.language);
    const text = JSON.stringify({
      ...style,
      sources: { [SOURCE]: { type: "vector", ...(await vectorSource(basemap, call)) } },
      glyphs: linkTo("/maps/glyphs/{fontstack}/{range}.pbf", call),
      sprite: linkTo(`/maps/sprites/${params.style}`, call),
      layers: layers.map((layer) => (layer.type === "background" ? layer : { ...layer, source: SOURCE })),
    });
    return jsonDocument(request, text);
  },
});
