import { readFile } from "node:fs/promises";
import * as hb from "harfbuzzjs";
import { decompress } from "wawoff2";
import { GLYPH_EM, type Glyph } from "../../core/maps/text/glyphs.ts";
import { flatten, glyphOfLines, type Line, type PathCommand } from "./distance-field.ts";
import { fileWith, packagesFor } from "./fonts.ts";

/** Units of HarfBuzz: a fine grid, as it gives whole numbers. */
const GRID = 64;
/** At 24 pixels to the em an ideograph's curves are short: four steps are off by less than 1/50 pixel. */
const STEPS = 4;

/** Draws units (maps/text/units.ts); what no font has is skipped. Fonts stay open as long as it is used. */
export class UnitShaper {
  readonly #fonts = new Map<string, Promise<hb.Font>>();

  async glyph(unit: string): Promise<Glyph | undefined> {
    const text = unit[2] === ":" ? unit.slice(3) : unit;
    for (const name of packagesFor(unit)) {
      const path = fileWith(name, text.codePointAt(0) as number);
      if (!path) continue;
      let font = this.#fonts.get(path);
      if (!font) {
        font = openFont(path);
        this.#fonts.set(path, font);
      }
      const glyph = shaped(await font, text);
      if (glyph) return glyph;
    }
    return undefined;
  }
}

async function openFont(path: string): Promise<hb.Font> {
  const font = new hb.Font(new hb.Face(new hb.Blob(await decompress(await readFile(path)))));
  font.setScale(GLYPH_EM * GRID, GLYPH_EM * GRID);
  // The files hold all weights.
  font.setVariations([new hb.Variation("wght", 400)]);
  return font;
}

/** undefined where the font lacks any of it. */
function shaped(font: hb.Font, text: string): Glyph | undefined {
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  // A mark separately is drawn without the circle that stands for a letter: who writes it character by character has one.
  buffer.setFlags(hb.BufferFlag.DO_NOT_INSERT_DOTTED_CIRCLE);
  hb.shape(font, buffer);
  const lines: Line[] = [];
  let [penX, penY] = [0, 0];
  const positions = buffer.getGlyphPositions();
  for (const [i, { codepoint }] of buffer.getGlyphInfos().entries()) {
    // Glyph 0 is the box for what is missing.
    if (codepoint === 0) return undefined;
    const { xOffset, yOffset, xAdvance, yAdvance } = positions[i];
    const [x, y] = [penX + xOffset, penY + yOffset];
    for (const line of flatten(commandsOf(font.glyphToJson(codepoint)), STEPS)) {
      lines.push([(x + line[0]) / GRID, -(y + line[1]) / GRID, (x + line[2]) / GRID, -(y + line[3]) / GRID]);
    }
    penX += xAdvance;
    penY += yAdvance;
  }
  return glyphOfLines(lines, 0, Math.round(penX / GRID));
}

function commandsOf(commands: readonly hb.SvgPathCommand[]): PathCommand[] {
  return commands.map(({ type, values }): PathCommand => {
    const [a, b, c, d, e, f] = values;
    if (type === "Q") return { type, x1: a, y1: b, x: c, y: d };
    if (type === "C") return { type, x1: a, y1: b, x2: c, y2: d, x: e, y: f };
    return { type: type as PathCommand["type"], x: a, y: b };
  });
}
