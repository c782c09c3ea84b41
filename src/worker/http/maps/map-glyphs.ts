import { crc32c } from "../../../core/geo/bytes/crc32c.ts";
import { DEFAULT_FONT, packFontFor } from "../../../core/maps/fonts/fonts.ts";
import { type Glyph, writeGlyphs } from "../../../core/maps/text/glyphs.ts";
import { bundledGlyphs } from "../../answers/maps/map-assets.ts";
import type { Asker } from "../../platform/call.ts";
import { invalid } from "../../platform/errors.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { endpoint } from "../serve/endpoint.ts";
import { basemapOf } from "./map-tiles.ts";

/** Characters per range, and the start of the last range. */
const RANGE = 256;
const LAST = 65_280;
const FRESH_FOR_AN_HOUR = "public, max-age=3600";
const NOTHING = new Uint8Array();
const GLYPHS_TYPE = "application/x-protobuf";

export const mapGlyphs = endpoint({
  name: "mapGlyphs",
  method: "GET",
  path: "/maps/glyphs/:fontstack/:range",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns glyphs for the labels of interactive maps.",
  description:
    "Signed distance fields in MapLibre's glyph format: 256 characters of a font (`0-255.pbf`, `256-511.pbf` …). Fonts are Noto Sans " +
    "Regular, Medium and Italic; other names get the most similar one. For scripts other than Latin, Greek, Cyrillic, Hebrew and " +
    "Arabic, only characters used in map labels are included, in one weight. A range without characters is empty. The key may be " +
    "given as `publishableKey`.",
  media: [GLYPHS_TYPE],
  async handle(call) {
    const { params, request } = call;
    const first = firstOf(params.range);
    const wanted = params.fontstack.split(",").map((name) => name.trim());
    const pack = bundledGlyphs();
    // The first available font of the stack, else the most similar one.
    const font = wanted.find((name) => pack.fonts.includes(name)) ?? packFontFor(wanted[0] ?? DEFAULT_FONT);
    // Hebrew and Arabic are bundled in one weight, used for all weights, as on images.
    const gzipped = pack.range(font, first) ?? pack.range(DEFAULT_FONT, first);
    const others = gzipped ? undefined : await glyphsOfBuilds(call, font, first);
    const etag = await etagOf("glyphs", font, first, crc32c(gzipped ?? others ?? NOTHING));
    // Glyphs of builds change with the builds.
    const headers = { etag, "cache-control": gzipped ? FRESH_FOR_A_DAY : FRESH_FOR_AN_HOUR };
    const known = notModified(request, etag, headers);
    if (known) return known;
    const body = gzipped
      ? new Response(gzipped as BufferSource).body?.pipeThrough(new DecompressionStream("gzip"))
      : (others as BufferSource);
    return new Response(body, { headers: { ...headers, "content-type": GLYPHS_TYPE } });
  },
});

function firstOf(range: string): number {
  const [, from, to] = /^(\d{1,5})-(\d{1,5})(?:\.pbf)?$/.exec(range) ?? [];
  const first = Number(from);
  if (from === undefined || first % RANGE !== 0 || first > LAST || Number(to) !== first + RANGE - 1) {
    throw invalid("range", 'Expected 256 characters such as "0-255" or "256-511", up to "65280-65535".');
  }
  return first;
}

/**
 * Characters of other scripts, from the glyphs that builds contain for their labels. Without one the range is empty: clients then
 * draw nothing, or fall back to device fonts.
 */
async function glyphsOfBuilds(call: Asker, font: string, first: number): Promise<Uint8Array> {
  const codeOf = (unit: string) => {
    // An ideograph has a regional form.
    const text = unit[2] === ":" ? unit.slice(3) : unit;
    const code = text.codePointAt(0) as number;
    return String.fromCodePoint(code) === text ? code : -1;
  };
  const isOfRange = (unit: string) => codeOf(unit) >= first && codeOf(unit) < first + RANGE;
  const byCode = new Map<number, Glyph>();
  for (const [unit, glyph] of await (await basemapOf(call)).allGlyphs(isOfRange)) {
    const id = codeOf(unit);
    if (!byCode.has(id)) byCode.set(id, { ...glyph, id });
  }
  const glyphs = [...byCode.values()].sort((a, b) => a.id - b.id);
  return writeGlyphs(font, `${first}-${first + RANGE - 1}`, glyphs);
}
