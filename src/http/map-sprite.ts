import { svgToPng } from "../maps/image/svg-to-png.ts";
import { builtInIcons, STYLES_VERSION } from "../maps/style/built-in.ts";
import { spriteOf } from "../maps/style/sprite.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "./conditional.ts";
import { endpoint } from "./endpoint.ts";
import { notFound } from "./errors.ts";
import { readyToDraw } from "./map-assets.ts";
import { isBuiltIn } from "./static-map-style.ts";

/** Sheets of this isolate: three styles at two scales. */
const drawn = new Map<string, Uint8Array>();

export const mapSprite = endpoint({
  name: "mapSprite",
  method: "GET",
  path: "/maps/sprites/:sprite",
  level: "publishable",
  chapter: "Maps",
  summary: "The icons of a style for interactive maps, on one sheet.",
  description:
    "`radar-default-v1.json` and `radar-default-v1.png`, with `@2x` before the dot for dense screens, as MapLibre asks for them. " +
    "The key may be given as `publishableKey`.",
  media: "image/png",
  errors: [404],
  async handle({ params, request }) {
    const [, style, scale, format] = /^([\w-]+?)(@2x)?\.(json|png)$/.exec(params.sprite) ?? [];
    if (style === undefined || !isBuiltIn(style)) throw notFound("Sprite");
    const etag = await etagOf("sprite", params.sprite, STYLES_VERSION);
    const headers = { etag, "cache-control": FRESH_FOR_A_DAY };
    const known = notModified(request, etag, headers);
    if (known) return known;
    const { index, svg } = spriteOf(builtInIcons(style), scale ? 2 : 1);
    if (format === "json") {
      return new Response(JSON.stringify(index), {
        headers: { ...headers, "content-type": "application/json; charset=utf-8" },
      });
    }
    let sheet = drawn.get(params.sprite);
    if (!sheet) {
      await readyToDraw();
      sheet = svgToPng(svg);
      drawn.set(params.sprite, sheet);
    }
    return new Response(sheet as BufferSource, { headers: { ...headers, "content-type": "image/png" } });
  },
});
