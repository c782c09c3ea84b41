import type { Tags } from "../../osm/pbf/element.ts";

/** Codes of an airport: three letters; some list two with a semicolon. */
export function iataCodes(tags: Tags): string[] {
  if (tags.aeroway !== "aerodrome" || !tags.iata) return [];
  return tags.iata
    .split(/[;,]/)
    .map((code) => code.trim().toUpperCase())
    .filter((code) => /^[A-Z]{3}$/.test(code));
}
