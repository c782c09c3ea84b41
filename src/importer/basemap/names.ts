import { LANGUAGES } from "../../geocoding/entry.ts";
import type { Value } from "../../maps/tiles/mvt.ts";
import type { Tags } from "../osm/element.ts";

const TRANSLATED = LANGUAGES.map((language) => `name:${language}`);

/**
 * `name` and `name:xx` in the platform's languages; what only repeats the name is left out, as readers fall back to it.
 */
export function namesOf(tags: Tags): Record<string, Value | undefined> {
  const name = tags.name;
  const names: Record<string, Value | undefined> = { name };
  for (const key of TRANSLATED) {
    const translated = tags[key];
    if (translated && translated !== name) names[key] = translated;
  }
  return names;
}

/** Is there any name to show? */
export function isNamed(tags: Tags): boolean {
  return tags.name !== undefined || TRANSLATED.some((key) => tags[key] !== undefined);
}
