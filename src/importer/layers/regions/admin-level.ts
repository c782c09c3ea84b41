import type { RegionKind } from "../../../core/regions/region.ts";
import type { Tags } from "../../osm/pbf/element.ts";

/** What OSM's admin levels mean where nothing else is said (OSM wiki, "Tag:boundary=administrative"). */
const LEVELS: Record<string, RegionKind> = {
  2: "country",
  4: "state",
  6: "county",
  8: "locality",
  9: "borough",
  10: "neighborhood",
};

/** Countries that use other levels (same source). A level in neither table is no region here. */
const EXCEPTIONS: Record<string, Record<string, RegionKind>> = {
  AU: { 9: "locality", 10: "locality" },
  CN: { 5: "locality" },
  CZ: { 7: "county" },
  DK: { 7: "locality" },
  FI: { 7: "county" },
  JP: { 7: "locality", 8: "borough", 9: "neighborhood" },
  NO: { 7: "locality" },
  PL: { 7: "locality" },
  PT: { 7: "locality", 8: "borough", 9: "neighborhood" },
  SE: { 7: "locality" },
  US: { 5: "locality" },
};

const SETTLEMENTS = new Set(["city", "town", "village"]);

/**
 * The kinds an administrative boundary stands for, by its level and the country around it (ISO 3166-1 alpha-2, "" if
 * unknown). Usually one; a city that is its own county (Heidelberg) or state (Berlin) is a locality as well.
 */
export function kindsOf(tags: Tags, country: string): RegionKind[] {
  const level = tags.admin_level ?? "";
  const kind = EXCEPTIONS[country]?.[level] ?? LEVELS[level];
  const kinds: RegionKind[] = [];
  if (kind) kinds.push(kind);
  // New York's five, on a level where other states have townships.
  else if (tags.border_type === "borough" || tags.place === "borough") kinds.push("borough");
  const settlement = SETTLEMENTS.has(tags.place ?? "") || SETTLEMENTS.has(tags["de:place"] ?? "");
  if (settlement && (kind === "county" || kind === "state")) kinds.push("locality");
  return kinds;
}
