import { GLYPH_EM, type Glyph, readGlyphs } from "./glyphs.ts";

/** Where glyphs come from: the ranges that ship with the Worker, or objects beside the tiles. */
export interface GlyphSource {
  /** The protocol buffer with characters `first` to `first + 255`; undefined when there is none. */
  range(font: string, first: number): Promise<Uint8Array | undefined>;
}

/** Glyphs that have been loaded; measuring and drawing need no waiting then. */
export class FontSet {
  readonly #source: GlyphSource;
  readonly #fonts = new Map<string, Map<number, Glyph>>();
  readonly #loaded = new Set<string>();

  constructor(source: GlyphSource) {
    this.#source = source;
  }

  /** Loads what these texts need and is not here yet. */
  async prepare(texts: Iterable<{ font: string; text: string }>): Promise<void> {
    const missing = new Map<string, { font: string; first: number }>();
    for (const { font, text } of texts) {
      for (const character of text) {
        const code = character.codePointAt(0) as number;
        const first = code - (code % 256);
        const name = `${font}/${first}`;
        if (!this.#loaded.has(name)) missing.set(name, { font, first });
      }
    }
    await Promise.all(
      [...missing].map(async ([name, { font, first }]) => {
        const bytes = await this.#source.range(font, first);
        const glyphs = this.#fonts.get(font) ?? new Map<number, Glyph>();
        this.#fonts.set(font, glyphs);
        if (bytes) for (const glyph of readGlyphs(bytes)) glyphs.set(glyph.id, glyph);
        this.#loaded.add(name);
      }),
    );
  }

  glyph(font: string, code: number): Glyph | undefined {
    return this.#fonts.get(font)?.get(code);
  }

  /** How far the pen moves, in em; 0 for a character that no font has, as nothing is drawn. */
  advance(font: string, code: number): number {
    const glyph = this.glyph(font, code);
    return glyph ? glyph.advance / GLYPH_EM : 0;
  }

  /** Width of a text in em; `spacing` in em after every character. */
  width(font: string, text: string, spacing = 0): number {
    let width = 0;
    for (const character of text) width += this.advance(font, character.codePointAt(0) as number) + spacing;
    return width;
  }

  /** Are all characters there? A name of which half is missing is better not shown. */
  covers(font: string, text: string): boolean {
    for (const character of text) if (!this.glyph(font, character.codePointAt(0) as number)) return false;
    return true;
  }
}
