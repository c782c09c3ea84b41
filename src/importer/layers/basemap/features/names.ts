import type { Value } from "../../../../core/maps/tiles/mvt.ts";
import type { Tags } from "../../../osm/pbf/element.ts";

/**
 * The languages whose names the map carries: those of the API, the national ones with their own scripts, and the largest others
 * of Europe and Asia. A feature has few of them, so tiles hardly grow.
 */
export const MAP_LANGUAGES = [
  ...["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"],
  ...["am", "bn", "bg", "ca", "cs", "da", "el", "fa", "fi", "he", "hi", "hr", "hu", "hy", "id", "it", "ka", "km"],
  ...["lo", "my", "nb", "nl", "pl", "ro", "si", "sk", "sr", "sv", "ta", "te", "th", "tr", "uk", "ur", "vi"],
] as const;

const TRANSLATED = MAP_LANGUAGES.map((language) => `name:${language}`);

/**
 * `name` and `name:xx` in the languages of maps; what only repeats the name is skipped, as readers fall back to it.
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
