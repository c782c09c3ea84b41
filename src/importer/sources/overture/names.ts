import { LANGUAGES, type Language } from "../../../geocoding/entry.ts";
import type { Names } from "../../../geocoding/index/entry-record.ts";
import { textOf } from "./row-reader.ts";

/** `names` of a feature: the most common one, and those by language (a map of IETF BCP 47 tags). */
export function namesIn(value: unknown): { primary: string; common: Map<string, string> } {
  const { primary, common } = (value ?? {}) as { primary?: unknown; common?: unknown };
  const pairs: [unknown, unknown][] = Array.isArray(common)
    ? common.map((pair: { key?: unknown; value?: unknown }) => [pair?.key, pair?.value])
    : Object.entries((common ?? {}) as Record<string, unknown>);
  const known = pairs
    .filter(([, text]) => textOf(text) !== "")
    .map(([key, text]) => [textOf(key), textOf(text)] as const);
  return { primary: textOf(primary), common: new Map(known) };
}

/** Those in the languages of the API that differ from the name itself. */
export function otherNames({ primary, common }: ReturnType<typeof namesIn>): Names {
  return LANGUAGES.flatMap((language): [Language, string][] => {
    const name = common.get(language);
    return name === undefined || name === primary ? [] : [[language, name]];
  });
}
