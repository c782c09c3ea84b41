import { svgToPng } from "../../../core/maps/image/rasterise.ts";
import { builtInIcons, styleVersion } from "../../../core/maps/style/built-in.ts";
import type { Icon } from "../../../core/maps/style/icons.ts";
import { DEFAULT_STYLE } from "../../../core/maps/style/palettes.ts";
import { iconsForOthers } from "../../../core/maps/style/read-style.ts";
import { spriteOf } from "../../../core/maps/style/sprite.ts";
import { readyToDraw } from "../../answers/maps/map-assets.ts";
import { isBuiltIn } from "../../answers/maps/style.ts";
import { notFound } from "../../platform/errors.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { endpoint } from "../serve/endpoint.ts";

/** The sprite for uploaded styles: the default icons, also by the names in styles for Protomaps tiles. */
export const SPRITE_FOR_OTHERS = "uploaded";

/** Cached sprites: three styles and the one for uploaded styles, at two scales. */
const drawn = new Map<string, Uint8Array>();

export const mapSprite = endpoint({
  name: "mapSprite",
  method: "GET",
  path: "/maps/sprites/:sprite",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns the sprite of a style for interactive maps.",
  description:
    "`radar-default-v1.json` and `radar-default-v1.png`, with `@2x` before the dot for high-density screens, as MapLibre requests them. " +
    "You can pass the key as `publishableKey`.",
  media: ["image/png", "application/json"],
  errors: [404],
  async handle({ params, request }) {
    const [, style, scale, format] = /^([\w-]+?)(@2x)?\.(json|png)$/.exec(params.sprite) ?? [];
    const icons = style === undefined ? undefined : iconsOf(style);
    if (!icons || style === undefined) throw notFound("Sprite");
    const etag = await etagOf("sprite", params.sprite, styleVersion(isBuiltIn(style) ? style : DEFAULT_STYLE));
    const headers = { etag, "cache-control": FRESH_FOR_A_DAY };
    const known = notModified(request, etag, headers);
    if (known) return known;
    const { index, svg } = spriteOf(icons, scale ? 2 : 1);
    if (format === "json") {
      return new Response(JSON.stringify(index), {
        headers: { ...headers, "content-type": "application/json; charset=utf-8" },
      });
    }
    let sheet = drawn.get(params.sprite);
    if (!sheet) {
      readyToDraw();
      sheet = svgToPng(svg);
      drawn.set(params.sprite, sheet);
    }
    return new Response(sheet as BufferSource, { headers: { ...headers, "content-type": "image/png" } });
  },
});

function iconsOf(style: string): Readonly<Record<string, Icon>> | undefined {
  if (isBuiltIn(style)) return builtInIcons(style);
  return style === SPRITE_FOR_OTHERS ? iconsForOthers(builtInIcons(DEFAULT_STYLE)) : undefined;
}
