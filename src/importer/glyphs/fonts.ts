import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DataSource } from "../../core/geo/builds/manifest.ts";

/**
 * Noto Sans for the scripts that do not ship with the Worker (SIL Open Font License 1.1, by @fontsource-variable 5.3, about 32 MB
 * as WOFF2 in all): only the importer reads them. HarfBuzz (harfbuzzjs 1.6.4, MIT, 0.5 MB packed) shapes and draws, as no page
 * of ours could; WOFF2 is unpacked by wawoff2 2.0.1 (MIT, 1.3 MB, without updates since 2021, as is the format).
 */
const PACKAGE = "@fontsource-variable/noto-sans-";

/** Script → package. */
const BY_SCRIPT: readonly (readonly [script: RegExp, name: string])[] = [
  [/\p{Script=Thai}/u, "thai"],
  [/\p{Script=Lao}/u, "lao"],
  [/\p{Script=Khmer}/u, "khmer"],
  [/\p{Script=Myanmar}/u, "myanmar"],
  [/\p{Script=Devanagari}/u, "devanagari"],
  [/\p{Script=Bengali}/u, "bengali"],
  [/\p{Script=Tamil}/u, "tamil"],
  [/\p{Script=Telugu}/u, "telugu"],
  [/\p{Script=Kannada}/u, "kannada"],
  [/\p{Script=Malayalam}/u, "malayalam"],
  [/\p{Script=Gujarati}/u, "gujarati"],
  [/\p{Script=Gurmukhi}/u, "gurmukhi"],
  [/\p{Script=Oriya}/u, "oriya"],
  [/\p{Script=Sinhala}/u, "sinhala"],
  [/\p{Script=Georgian}/u, "georgian"],
  [/\p{Script=Armenian}/u, "armenian"],
  [/\p{Script=Ethiopic}/u, "ethiopic"],
  [/\p{Script=Hangul}/u, "kr"],
  [/[\u3000-\u30ff\u31f0-\u31ff\uff00-\uffef]/, "jp"],
  [/\p{Script=Han}/u, "sc"],
];

const FORMS: Readonly<Record<string, string>> = { zh: "sc", ja: "jp", ko: "kr" };

/** The packages in which a unit may be found, the likeliest first. */
export function packagesFor(unit: string): readonly string[] {
  const form = unit[2] === ":" ? FORMS[unit.slice(0, 2)] : undefined;
  // Neither country's font has all ideographs.
  if (form) return [form, ...Object.values(FORMS).filter((other) => other !== form)];
  const found = BY_SCRIPT.find(([script]) => script.test(unit));
  return found ? [found[1]] : [];
}

/** The place of a unit's script among others: those of a script are together. */
export function scriptRank(unit: string): number {
  const [first = ""] = packagesFor(unit);
  const rank = BY_SCRIPT.findIndex(([, name]) => name === first);
  return rank < 0 ? BY_SCRIPT.length : rank;
}

const require = createRequire(import.meta.url);

interface Part {
  spans: readonly (readonly [from: number, to: number])[];
  path: string;
}

const parts = new Map<string, readonly Part[]>();

/** The file of a package that has a character; undefined when none has. */
export function fileWith(name: string, code: number): string | undefined {
  let known = parts.get(name);
  if (!known) {
    const folder = dirname(require.resolve(`${PACKAGE}${name}/unicode.json`));
    const ranges: Record<string, string> = JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8"));
    known = Object.entries(ranges).map(([part, text]) => ({
      spans: text.split(",").map(spanOf),
      path: join(folder, "files", `noto-sans-${name}-${part.replace(/[[\]]/g, "")}-wght-normal.woff2`),
    }));
    parts.set(name, known);
  }
  return known.find(({ spans }) => spans.some(([from, to]) => code >= from && code <= to))?.path;
}

/** "U+4e00-4eff" → its ends. */
function spanOf(text: string): readonly [number, number] {
  const [from, to = from] = text.trim().slice(2).split("-");
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

/** Named where its glyphs are in a build. */
export const NOTO: DataSource = {
  name: "Noto Sans (glyphs of names)",
  url: "https://notofonts.github.io",
  licence: "SIL Open Font License 1.1",
  licenceUrl: "https://openfontlicense.org",
  edition: "by @fontsource-variable/noto-sans-* 5.3",
};
