import { GLYPH_EM, type Glyph, readGlyphs } from "./glyphs.ts";
import { HAN_FORMS, isIdeograph, unitOf } from "./units.ts";

/** Source of glyphs: the ranges that ship with the Worker, and those in builds. */
interface GlyphSource {
  /** The protocol buffer with characters `first` to `first + 255`; undefined if there is none. */
  range(font: string, first: number): Promise<Uint8Array | undefined>;
  /** The known glyphs of units (units.ts). */
  units?(units: readonly string[]): Promise<ReadonlyMap<string, Glyph>>;
}

/** Ranges that ship, decoded: the same for all maps of an isolate. */
export type KnownRanges = Map<string, ReadonlyMap<number, Glyph>>;

/** Between a font's name and the form of its ideographs: "Noto Sans Regular#ja". */
const FORM = "#";

export const withForm = (font: string, form: string): string => `${font}${FORM}${form}`;
export const withoutForm = (font: string): string => font.split(FORM)[0];

/** Glyphs that have been loaded; measuring and drawing need no waiting then. */
export class FontSet {
  readonly #source: GlyphSource;
  readonly #ranges: KnownRanges;
  /** Of builds: unit → glyph, for this map. */
  readonly #units = new Map<string, Glyph>();
  readonly #asked = new Set<string>();
  /** By font and number of the range. */
  readonly #blocks = new Map<string, (ReadonlyMap<number, Glyph> | undefined)[]>();

  constructor(source: GlyphSource, ranges: KnownRanges = new Map()) {
    this.#source = source;
    this.#ranges = ranges;
  }

  /** Loads the missing glyphs of these texts. */
  async prepare(texts: Iterable<{ font: string; text: string }>): Promise<void> {
    const missing = new Map<string, { font: string; first: number }>();
    const used = new Map<string, { font: string; code: number }>();
    for (const { font, text } of texts) {
      const plain = withoutForm(font);
      for (const character of text) {
        const code = character.codePointAt(0) as number;
        const first = code - (code % 256);
        const name = `${plain}/${first}`;
        if (code < 0x10000 && !this.#ranges.has(name)) missing.set(name, { font: plain, first });
        used.set(`${font}/${code}`, { font, code });
      }
    }
    await Promise.all(
      [...missing].map(async ([name, { font, first }]) => {
        const bytes = await this.#source.range(font, first);
        const glyphs = new Map<number, Glyph>();
        if (bytes) for (const glyph of readGlyphs(bytes)) glyphs.set(glyph.id, glyph);
        this.#ranges.set(name, glyphs);
      }),
    );
    const wanted = new Set<string>();
    for (const { font, code } of used.values()) {
      if (code <= 0x20 || this.#range(font, code)) continue;
      const unit = unitNamed(font, code);
      if (!this.#asked.has(unit)) wanted.add(unit);
    }
    await this.#load([...wanted]);
    // A build may have an ideograph in another country's form alone.
    const other = [...wanted]
      .filter((unit) => unit[2] === ":" && !this.#units.has(unit))
      .flatMap((unit) => HAN_FORMS.map((form) => `${form}:${unit.slice(3)}`));
    await this.#load(other.filter((unit) => !this.#asked.has(unit)));
  }

  async #load(units: readonly string[]): Promise<void> {
    if (units.length === 0) return;
    for (const unit of units) this.#asked.add(unit);
    for (const [unit, glyph] of (await this.#source.units?.(units)) ?? []) this.#units.set(unit, glyph);
  }

  /**
   * Glyph of a shipped range. Called for every letter of every attempt to place a label: ranges are found by number
   * first.
   */
  #range(font: string, code: number): Glyph | undefined {
    let blocks = this.#blocks.get(font);
    if (!blocks) {
      blocks = [];
      this.#blocks.set(font, blocks);
    }
    const block = code >> 8;
    const glyphs = blocks[block] ?? this.#ranges.get(`${withoutForm(font)}/${block << 8}`);
    if (glyphs) blocks[block] = glyphs;
    return glyphs?.get(code);
  }

  glyph(font: string, code: number): Glyph | undefined {
    const shipped = this.#range(font, code);
    if (shipped) return shipped;
    const unit = unitNamed(font, code);
    const known = this.#units.get(unit);
    if (known || unit[2] !== ":") return known;
    for (const form of HAN_FORMS) {
      const other = this.#units.get(`${form}:${unit.slice(3)}`);
      if (other) return other;
    }
    return undefined;
  }

  /** Advance width in em; 0 for a character that no font has, because nothing is drawn. */
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

  /** Returns whether all characters are available. A label with only half of its characters is better not shown. */
  covers(font: string, text: string): boolean {
    for (const character of text) if (!this.glyph(font, character.codePointAt(0) as number)) return false;
    return true;
  }
}

/** The name of a code's unit in stores of glyphs. */
function unitNamed(font: string, code: number): string {
  const unit = unitOf(code);
  if (!isIdeograph(unit)) return unit;
  return `${font.split(FORM)[1] ?? "zh"}:${unit}`;
}
