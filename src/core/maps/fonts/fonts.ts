/** The fonts that ship with the Worker, by their names in styles, and their source files. */
export const PACK_FONTS = [
  { name: "Noto Sans Regular", file: "noto-sans/400Regular/NotoSans_400Regular.ttf" },
  { name: "Noto Sans Medium", file: "noto-sans/500Medium/NotoSans_500Medium.ttf" },
  { name: "Noto Sans Italic", file: "noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf" },
] as const;

export const DEFAULT_FONT = "Noto Sans Regular";

/**
 * Scripts from other files, which are added to the default font; the other fonts use them from there. Arabic in its
 * contextual forms.
 */
export const PACK_SCRIPTS: readonly { file: string; spans: readonly (readonly [from: number, to: number])[] }[] = [
  {
    file: "noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf",
    spans: [
      [0x5d0, 0x5ea],
      [0x5f3, 0x5f4],
    ],
  },
  {
    file: "noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf",
    spans: [
      [0x60c, 0x60c],
      [0x61b, 0x61b],
      [0x61f, 0x61f],
      [0x621, 0x63a],
      [0x640, 0x64a],
      [0x660, 0x669],
      [0x6f0, 0x6f9],
      [0xfb56, 0xfb59],
      [0xfb66, 0xfb69],
      [0xfb7a, 0xfb7d],
      [0xfb88, 0xfb95],
      [0xfb9e, 0xfb9f],
      [0xfba6, 0xfbaf],
      [0xfbfc, 0xfbff],
      [0xfe80, 0xfefc],
    ],
  },
];

/**
 * The characters that ship: the Latin alphabets of Europe, Vietnam and West Africa, Greek, Cyrillic, punctuation,
 * currencies.
 */
export const PACK_SPANS: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x18f, 0x18f],
  [0x192, 0x192],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x1cd, 0x1d4],
  [0x1e6, 0x1e7],
  [0x218, 0x21b],
  [0x254, 0x254],
  [0x259, 0x25b],
  [0x2bb, 0x2bc],
  [0x386, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x4ab],
  [0x4ae, 0x4b1],
  [0x4ba, 0x4bb],
  [0x4d8, 0x4d9],
  [0x4e8, 0x4e9],
  [0x300, 0x333],
  [0x1e00, 0x1ef9],
  [0x1f00, 0x1ffe],
  [0x2010, 0x2026],
  [0x2030, 0x203a],
  [0x20ac, 0x20ac],
  [0x2116, 0x2116],
];

/** Returns the font that replaces a missing font of a style: its weight and slant, in Noto Sans. */
export function packFontFor(name: string): string {
  if (PACK_FONTS.some((font) => font.name === name)) return name;
  if (/italic|oblique/i.test(name)) return "Noto Sans Italic";
  return /medium|semi|demi|bold|black|heavy/i.test(name) ? "Noto Sans Medium" : DEFAULT_FONT;
}

/** Returns whether the character is among those that ship with the Worker. */
export function isShipped(code: number): boolean {
  return SHIPPED.some(([from, to]) => code >= from && code <= to);
}

const SHIPPED = [...PACK_SPANS, ...PACK_SCRIPTS.flatMap(({ spans }) => spans)];
