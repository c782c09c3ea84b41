import type { Tags } from "../../../osm/pbf/element.ts";

/**
 * Who may use roads of a kind that carry no access tag, where a country's law differs from the profiles (which follow OSRM: cycleways,
 * bridleways and trunk roads without walkers, footways and pedestrian streets with bikes that are pushed). Countries by ISO 3166-1.
 * Facts from the table "OSM tags for routing/Access restrictions" of the OpenStreetMap wiki, as Valhalla has it (adminconstants.h, 2026):
 * trunk roads are listed where they are open unless `motorroad=yes`; they are closed in AT, BE, CH, DK, FR, HU and SK.
 */
const WALKED_AND_RIDDEN: Readonly<Record<string, string>> = {
  footway: "AU BY IS NO",
  pedestrian: "BE BY CN ES FI FR IS IT NO PH SE TH US",
  bridleway: "BR GB GR IE OM PH PL RO TH US",
  cycleway: "BE BY CH DK FI GB GR HU IS NL NO OM PH PL SE TH TR US",
  trunk: "DE ES FI GB IE IS NL NO PL SE UA",
  trunk_link: "DE ES FI GB IE IS NL NO PL SE UA",
};
const WALKED: Readonly<Record<string, string>> = { bridleway: "BE SE TR", path: "AT" };

const IMPLIED = new Map([
  ...entriesOf(WALKED_AND_RIDDEN, { foot: "yes", bicycle: "yes" }),
  ...entriesOf(WALKED, { foot: "yes", bicycle: "dismount" }),
]);

function entriesOf<T>(kinds: Readonly<Record<string, string>>, access: T): [string, T][] {
  return Object.entries(kinds).flatMap(([highway, codes]) =>
    codes.split(" ").map((code): [string, T] => [`${highway} ${code}`, access]),
  );
}

const BESIDE = ["", ":both", ":left", ":right"].flatMap((side) => [`sidewalk${side}`, `cycleway${side}`]);

/** The tags of a road with what the law of its country says of walkers and bikes, where the tags themselves say nothing. */
export function inCountry(tags: Tags, country: string | undefined): Tags {
  if (country === undefined || tags.access !== undefined) return tags;
  const implied = IMPLIED.get(`${tags.highway} ${country}`);
  if (!implied || BESIDE.some((key) => tags[key] === "separate")) return tags;
  const foot = tags.foot ?? implied.foot;
  return { ...tags, foot, ...(tags.vehicle === undefined && { bicycle: tags.bicycle ?? implied.bicycle }) };
}
