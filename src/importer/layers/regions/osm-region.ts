import type { Region } from "../../../core/regions/region.ts";
import type { Tags } from "../../osm/pbf/element.ts";
import { stateOfFips } from "../../world/states.ts";
import { kindsOf } from "./admin-level.ts";

/**
 * The regions of a boundary relation: one region, two where a city is its own county, none where its level means
 * nothing or it lacks what it would be known by (a country its code, a postal code itself, others a name). `around` is
 * the country the world base sees there; it only decides which meaning a level has.
 */
export function regionsOf(tags: Tags, around: string): Region[] {
  if (tags.boundary === "postal_code") {
    const code = tags.postal_code ?? tags["addr:postcode"] ?? tags.ref ?? "";
    return code ? [{ kind: "postalCode", rank: "import", code, name: code, country: "", state: "" }] : [];
  }
  const division = /^([A-Z]{2})-([A-Z0-9]{1,3})$/.exec(tags["ISO3166-2"] ?? "");
  return kindsOf(tags, around).flatMap((kind): Region[] => {
    if (kind === "country") {
      const code = countryCode(tags);
      return code ? [{ kind, rank: "import", code, name: "", country: code, state: "" }] : [];
    }
    const name = (kind === "state" ? tags["name:en"] : undefined) ?? tags.name;
    if (!name) return [];
    const code = kind === "state" ? (division?.[2] ?? "") : kind === "county" ? fips(tags) : "";
    if (kind === "state") return [{ kind, rank: "import", code, name, country: countryOf(division), state: "" }];
    const us = stateOfFips(code);
    return [{ kind, rank: "import", code, name, country: us?.country ?? "", state: us?.code ?? "" }];
  });
}

/**
 * Divisions in ISO 3166-2 that have their own code in ISO 3166-1: there they are countries, as the world base has
 * them.
 */
const OWN_COUNTRY: Record<string, string> = {
  CN: "HK MO TW",
  FR: "BL GF GP MF MQ NC PF PM RE TF WF YT",
  NL: "AW BQ CW SX",
  US: "AS GU MP PR UM VI",
};

function countryOf(division: RegExpExecArray | null): string {
  if (!division) return "";
  const [, country, code] = division;
  return OWN_COUNTRY[country]?.split(" ").includes(code) ? code : country;
}

function countryCode(tags: Tags): string | undefined {
  const code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] ?? tags.country_code_iso3166_1_alpha_2;
  return code && /^[A-Z]{2}$/.test(code) ? code : undefined;
}

/** The number the Census knows a US county by, with its state's in front. */
function fips(tags: Tags): string {
  const number = tags["nist:fips_code"] ?? tags["ref:fips"] ?? "";
  if (/^\d{5}$/.test(number)) return number;
  const state = tags["nist:state_fips"] ?? "";
  return /^\d{3}$/.test(number) && /^\d{2}$/.test(state) ? state + number : "";
}
