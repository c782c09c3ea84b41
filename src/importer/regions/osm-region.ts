import type { RegionShape } from "../../regions/region-shape.ts";
import type { Tags } from "../osm/element.ts";
import { kindsOf } from "./admin-level.ts";

type Rings = RegionShape["rings"];

/**
 * What a boundary relation stands for: one region, two where a city is its own county, none where its level means nothing
 * or it lacks what it would be known by (a country its code, a postal code itself, others a name).
 * `around` is the country the world base sees there; it only tells which meaning a level has.
 */
export function regionsOf(tags: Tags, rings: Rings, around: string): RegionShape[] {
  if (tags.boundary === "postal_code") {
    const code = tags.postal_code ?? tags["addr:postcode"] ?? tags.ref ?? "";
    return code ? [{ kind: "postalCode", rank: "import", code, name: code, country: "", state: "", rings }] : [];
  }
  const division = /^([A-Z]{2})-([A-Z0-9]{1,3})$/.exec(tags["ISO3166-2"] ?? "");
  return kindsOf(tags, around).flatMap((kind): RegionShape[] => {
    if (kind === "country") {
      const code = countryCode(tags);
      return code ? [{ kind, rank: "import", code, name: "", country: code, state: "", rings }] : [];
    }
    const name = (kind === "state" ? tags["name:en"] : undefined) ?? tags.name;
    if (!name) return [];
    const code = kind === "state" ? (division?.[2] ?? "") : kind === "county" ? fips(tags) : "";
    const country = kind === "state" ? (division?.[1] ?? "") : "";
    return [{ kind, rank: "import", code, name, country, state: "", rings }];
  });
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
