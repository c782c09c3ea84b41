import { crc32c } from "../../geo/crc32c.ts";
import { DEFAULT_FONT, packFontFor } from "../../maps/fonts/fonts.ts";
import { MessageWriter } from "../../maps/tiles/protobuf.ts";
import { etagOf, FRESH_FOR_A_DAY, notModified } from "../serve/conditional.ts";
import { endpoint } from "../serve/endpoint.ts";
import { invalid } from "../serve/errors.ts";
import { bundledGlyphs } from "./map-assets.ts";

/** Characters of a range, and where the last range begins. */
const RANGE = 256;
const LAST = 65_280;
const GLYPHS_TYPE = "application/x-protobuf";

export const mapGlyphs = endpoint({
  name: "mapGlyphs",
  method: "GET",
  path: "/maps/glyphs/:fontstack/:range",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Glyphs for the texts of interactive maps.",
  description:
    "Signed distance fields in MapLibre's glyph format: 256 characters of a font (`0-255.pbf`, `256-511.pbf` …). Fonts are Noto Sans " +
    "Regular, Medium and Italic; another name gets the one that is most like it. A range without characters is empty. The key may be " +
    "given as `publishableKey`.",
  media: [GLYPHS_TYPE],
  async handle({ params, request }) {
    const first = firstOf(params.range);
    const wanted = params.fontstack.split(",").map((name) => name.trim());
    const pack = bundledGlyphs();
    // The first of the stack that is here, else what resembles its first.
    const font = wanted.find((name) => pack.fonts.includes(name)) ?? packFontFor(wanted[0] ?? DEFAULT_FONT);
    const gzipped = pack.range(font, first);
    const etag = await etagOf("glyphs", font, first, gzipped ? crc32c(gzipped) : 0);
    const headers = { etag, "cache-control": FRESH_FOR_A_DAY };
    const known = notModified(request, etag, headers);
    if (known) return known;
    const body = gzipped
      ? new Response(gzipped as BufferSource).body?.pipeThrough(new DecompressionStream("gzip"))
      : (noGlyphs(font, first) as BufferSource);
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

/** A range in which nobody has a character: readers then draw nothing, or fall back to fonts of the device. */
function noGlyphs(font: string, first: number): Uint8Array {
  const stack = new MessageWriter().textField(1, font).textField(2, `${first}-${first + RANGE - 1}`);
  return new MessageWriter().bytesField(1, stack.finish()).finish();
}
