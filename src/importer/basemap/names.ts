import { LANGUAGES } from "../../geocoding/entry.ts";
import type { Value } from "../../maps/tiles/mvt.ts";
import type { Tags } from "../osm/element.ts";

/**
 * `name` and `name:xx` in the platform's languages; what only repeats the name is left out, as readers fall back to it.
 */
export function namesOf(tags: Tags): Record<string, Value | undefined> {
  const name = tags.name;
  const names: Record<string, Value | undefined> = { name };
  for (const language of LANGUAGES) {
    const translated = tags[`name:${language}`];
    if (translated && translated !== name) names[`name:${language}`] = translated;
  }
  return names;
}

/** Is there any name to show? */
export function isNamed(tags: Tags): boolean {
  return tags.name !== undefined || LANGUAGES.some((language) => tags[`name:${language}`] !== undefined);
}
