import { LANGUAGES, type Language } from "../../../core/geocoding/entry/entry.ts";
import type { Names } from "../../../core/geocoding/index/entry-record.ts";
import { type GroupColumns, listColumn, textColumn } from "./columns.ts";

interface FeatureNames {
  /** The most common one. */
  primary: string;
  /** By language (IETF BCP 47 tags). */
  common: ReadonlyMap<string, string>;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** The names of each row: of the feature, or of its brand. @param column "names" */
export function nameColumns(columns: GroupColumns, column: string): (row: number) => FeatureNames {
  const primary = textColumn(columns.leaf(`${column}/primary`));
  const keys = listColumn(columns.leaf(`${column}/common/key`));
  const values = listColumn(columns.leaf(`${column}/common/value`));
  return (row) => {
    const languages = keys(row);
    if (languages.length === 0) return { primary: primary(row), common: NO_NAMES };
    const texts = values(row);
    const pairs = languages.map((language, i) => [language, texts[i] ?? ""] as const);
    return { primary: primary(row), common: new Map(pairs.filter(([, text]) => text !== "")) };
  };
}

/** Those in the languages of the API that differ from the name itself. */
export function otherNames({ primary, common }: FeatureNames): Names {
  if (common.size === 0) return [];
  return LANGUAGES.flatMap((language): [Language, string][] => {
    const name = common.get(language);
    return name === undefined || name === primary ? [] : [[language, name]];
  });
}
