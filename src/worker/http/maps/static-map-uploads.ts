import { z } from "zod";
import { ImageError } from "../../../core/maps/base/examined-image.ts";
import { examineImage } from "../../../core/maps/image/examine-image.ts";
import { drawIcon } from "../../../core/maps/image/marker-icon.ts";
import { StyleError } from "../../../core/maps/style/expression.ts";
import { readStyle } from "../../../core/maps/style/read-style.ts";
import type { MapStyle } from "../../../core/maps/style/style.ts";
import { UPLOAD_ID } from "../../answers/maps/icons.ts";
import { readyToDraw } from "../../answers/maps/map-assets.ts";
import { isBuiltIn } from "../../answers/maps/style.ts";
import {
  deleteUpload,
  getStyle,
  listUploads,
  MAX_UPLOADS,
  putIcon,
  putStyle,
  type StoredUpload,
  type Upload,
} from "../../answers/maps/uploads.ts";
import type { Env } from "../../platform/env.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { endpoint } from "../serve/endpoint.ts";

/** Project uploads for maps: icons for markers, and styles. Not in the Radar API, which only mentions "a custom uploaded marker". */

const uploadShape = z.object({ _id: z.string(), bytes: z.number(), updatedAt: z.string() });
const IMAGE_RULE = "Expected a PNG, JPEG, WebP or SVG of up to 256 KB: base64, a data: URL, or SVG source.";

const ID_RULE = "Letters, digits, - and _, at most 64 of them, the first a letter or digit.";

function checkedId(id: string): string {
  if (!UPLOAD_ID.test(id)) throw invalid("id", ID_RULE);
  return id;
}

const wire = ({ id, bytes, updatedAt }: StoredUpload): z.input<typeof uploadShape> => ({
  _id: id,
  bytes,
  updatedAt: updatedAt.toISOString(),
});

async function checkRoom(env: Env, { scope }: Caller, kind: Upload, id: string, param: string): Promise<void> {
  const there = await listUploads(env, scope, kind);
  if (there.length >= MAX_UPLOADS && !there.some((one) => one.id === id))
    throw invalid(param, `There may be up to ${MAX_UPLOADS} ${kind}; delete one first.`);
}

export const uploadMapIcon = endpoint({
  name: "uploadMapIcon",
  method: "PUT",
  path: "/v1/maps/icons/:id",
  level: "secret",
  role: "admin",
  chapter: "Maps",
  summary: "Uploads an icon for markers of static maps (`icon:<id>`); replaces an icon with the same id.",
  description:
    "It is rasterized at upload, at most 64 × 64 pixels, with its bottom center at the position. In SVG, shapes, groups, " +
    "gradients, uses, clips and masks are drawn, within size limits; scripts, style sheets, text, images, " +
    "filters, patterns and markers are rejected, and so is animated WebP.",
  body: z.object({
    image: z.string({ error: IMAGE_RULE }).min(1, { error: IMAGE_RULE }).meta({ description: IMAGE_RULE }),
  }),
  response: z.object({ icon: uploadShape }),
  async handle({ params, body, env, caller }) {
    const id = checkedId(params.id);
    const bytes = imageBytes(body.image);
    await checkRoom(env, caller, "icons", id, "image");
    try {
      readyToDraw();
      return { icon: wire(await putIcon(env, caller.scope, id, drawIcon(examineImage(bytes)))) };
    } catch (error) {
      if (error instanceof ImageError) throw invalid("image", error.message);
      throw error;
    }
  },
});

/** "<svg …" is itself; anything else is base64, with or without "data:…;base64," before it. */
function imageBytes(image: string): Uint8Array {
  if (/^\s*</.test(image)) return new TextEncoder().encode(image);
  try {
    const binary = atob(image.replace(/^data:[^,]*;base64,/, ""));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw invalid("image", IMAGE_RULE);
  }
}

export const listMapIcons = endpoint({
  name: "listMapIcons",
  method: "GET",
  path: "/v1/maps/icons",
  level: "secret",
  chapter: "Maps",
  summary: "Lists the uploaded icons, by id.",
  response: z.object({ icons: z.array(uploadShape) }),
  async handle({ env, caller }) {
    return { icons: (await listUploads(env, caller.scope, "icons")).map(wire) };
  },
});

export const deleteMapIcon = endpoint({
  name: "deleteMapIcon",
  method: "DELETE",
  path: "/v1/maps/icons/:id",
  level: "secret",
  role: "admin",
  chapter: "Maps",
  summary: "Deletes an uploaded icon; markers that use it become default markers.",
  errors: [404],
  response: z.object({}),
  async handle({ params, env, caller }) {
    if (!(await deleteUpload(env, caller.scope, "icons", checkedId(params.id)))) throw notFound("Icon");
    return {};
  },
});

const LAYERS_RULE = "Expected a list of layers.";

export const uploadMapStyle = endpoint({
  name: "uploadMapStyle",
  method: "PUT",
  path: "/v1/maps/styles/:id",
  level: "secret",
  role: "admin",
  chapter: "Maps",
  summary: "Uploads a map style for `style=<id>`; replaces a style with the same id.",
  description:
    "The body is a style of the MapLibre style specification, version 8, for tiles in the Protomaps basemap schema. Supported are " +
    "layers of type background, fill, line, circle and symbol; raster, hillshade, heatmap and fill-extrusion are ignored, and so " +
    "are patterns, blur, offsets of lines and translations. Expressions: all except let, var, the distance, within and " +
    "feature-state families, and cubic-bezier; legacy filters are supported. Sources, glyphs and sprite are replaced by ours: labels are " +
    "in Noto Sans, icons use the names of the built-in style's sprite. Styles for Protomaps tiles work unchanged.",
  body: z.object({
    version: z.literal(8, { error: "Must be 8." }),
    layers: z.array(z.looseObject({ id: z.string({ error: LAYERS_RULE }), type: z.string({ error: LAYERS_RULE }) }), {
      error: LAYERS_RULE,
    }),
    name: z.string().max(256).optional(),
  }),
  errors: [413],
  response: z.object({ style: uploadShape }),
  async handle({ params, body, env, caller }) {
    const id = checkedId(params.id);
    if (isBuiltIn(id)) throw invalid("id", "This is the name of a built-in style.");
    const style = body as MapStyle;
    try {
      readStyle(style);
    } catch (error) {
      if (error instanceof StyleError) throw invalid("layers", error.message);
      throw error;
    }
    await checkRoom(env, caller, "styles", id, "layers");
    return { style: wire(await putStyle(env, caller.scope, id, style)) };
  },
});

export const listMapStyles = endpoint({
  name: "listMapStyles",
  method: "GET",
  path: "/v1/maps/styles",
  level: "secret",
  chapter: "Maps",
  summary: "Lists the uploaded styles, by id.",
  response: z.object({ styles: z.array(uploadShape) }),
  async handle({ env, caller }) {
    return { styles: (await listUploads(env, caller.scope, "styles")).map(wire) };
  },
});

export const getMapStyle = endpoint({
  name: "getMapStyle",
  method: "GET",
  path: "/v1/maps/styles/:id",
  level: "secret",
  chapter: "Maps",
  summary: "Returns an uploaded style as it was sent, in `style`.",
  errors: [404],
  response: z.object({ style: z.looseObject({ version: z.number(), layers: z.array(z.looseObject({})) }) }),
  async handle({ params, env, caller }) {
    const found = await getStyle(env, caller.scope, checkedId(params.id));
    if (!found) throw notFound("Style");
    return { style: found.style };
  },
});

export const deleteMapStyle = endpoint({
  name: "deleteMapStyle",
  method: "DELETE",
  path: "/v1/maps/styles/:id",
  level: "secret",
  role: "admin",
  chapter: "Maps",
  summary: "Deletes an uploaded style.",
  errors: [404],
  response: z.object({}),
  async handle({ params, env, caller }) {
    if (!(await deleteUpload(env, caller.scope, "styles", checkedId(params.id)))) throw notFound("Style");
    return {};
  },
});
