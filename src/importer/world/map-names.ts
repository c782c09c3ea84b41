import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plainEnglish } from "./english-names.ts";

/** Properties of a place on maps: `name` as it is written there, `name:en` and others where they differ. */
export type MapNames = Readonly<Record<string, string>>;

/** Names of towns and first-level regions on maps, written by src/demo/make/world-data/map-names.ts. */
export interface NameList {
  /** The names of a place that GeoNames or the atlas calls `name`; its English name if the list has none. */
  of(key: string, country: string, name: string, english?: string): MapNames;
  /** Whether the number of people of a place is known to be unreliable. */
  isUncertain(key: string): boolean;
}

/**
 * town-names.txt: GeoNames id ("?" after it if uncertain), local name, English name, then "language:name". town-corrections.txt: in the
 * same form, what GeoNames lacks or has wrong: Xuzhou under the name of a district, villages with the people of a county, and
 * names in Hindi and Chinese.
 */
export const townNames = (): NameList => listOf("town-names.txt", "town-corrections.txt");
/** region-names.txt: country and code, local name, English name, then "language:name". */
export const regionNames = (): NameList => listOf("region-names.txt");

/** Later files correct earlier ones. */
function listOf(...files: string[]): NameList {
  const rows = new Map<string, string[]>();
  const uncertain = new Set<string>();
  const lines = files.flatMap((file) =>
    readFileSync(join(import.meta.dirname, "data", file), "utf8")
      .trim()
      .split("\n"),
  );
  for (const line of lines) {
    const [key, ...fields] = line.split("|");
    const id = key.replace("?", "");
    if (id !== key) uncertain.add(id);
    const [local, english, ...others] = rows.get(id) ?? [];
    rows.set(id, [fields[0] || local || "", fields[1] || english || "", ...others, ...fields.slice(2)]);
  }
  return {
    of(key, country, name, knownAs) {
      const [local = "", english = "", ...others] = rows.get(key) ?? [];
      const names: Record<string, string> = { name: local || plainEnglish(country, name) };
      const inEnglish = english || plainEnglish(country, knownAs ?? name);
      if (inEnglish !== names.name) names["name:en"] = inEnglish;
      for (const text of others) {
        const at = text.indexOf(":");
        if (text.slice(at + 1) !== names.name) names[`name:${text.slice(0, at)}`] = text.slice(at + 1);
      }
      return names;
    },
    isUncertain: (key) => uncertain.has(key),
  };
}
