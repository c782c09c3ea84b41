import type { PackedCell } from "../../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { Context } from "../../../../core/geocoding/entry/entry.ts";
import type { PointRegions } from "../../../../core/regions/region.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type Areas, areasOf } from "./address-levels.ts";
import type { Settlements } from "./settlements.ts";

/** `cell`: where it is known, that of the point among the finest of tiles; then the lookup is faster. */
export type RegionsAt = (point: Coordinate, cell?: PackedCell) => PointRegions;

interface Whereabouts {
  context: Context;
  postalCode: string;
  /** The district that only its address names, and that in English. */
  district?: { name: string; english: string };
}

/** The names of what something is in: from its tags, and for the rest from the regions around it. */
export class HouseContext {
  readonly #regionsAt: RegionsAt;
  readonly #settlements: Settlements;
  readonly #known = new WeakMap<PointRegions, Map<string, Context>>();
  readonly #codes = new Map<string, string>();
  /** Neighbors mostly have the same. */
  #last:
    | {
        regions: PointRegions;
        city: string;
        code: string;
        name: string;
        countryCode: string;
        areas: Areas;
        context: Context;
      }
    | undefined;

  constructor(regionsAt: RegionsAt, settlements: Settlements) {
    this.#regionsAt = regionsAt;
    this.#settlements = settlements;
  }

  /** @param lineIn what the address has as its street in a country, which is no part of the town as well */
  of(tags: Tags, at: Coordinate, cell?: PackedCell, lineIn = (_country: string) => ""): Whereabouts {
    const regions = this.#regionsAt(at, cell);
    const countryCode = regions.country?.code ?? upper(tags["addr:country"] ?? "", 2);
    const city = tags["addr:city"] ?? regions.locality?.name ?? this.#settlements.at(at, regions);
    const areas = areasOf(tags, countryCode, lineIn(countryCode));
    const { district: name, english } = areas;
    return {
      context: this.#context(regions, city, stateOf(tags, regions), countryCode, areas),
      postalCode: this.#code(tags["addr:postcode"], countryCode) || (regions.postalCode?.code ?? ""),
      ...(name !== "" && regions.borough === undefined && { district: { name, english } }),
    };
  }

  #code(written: string | undefined, countryCode: string): string {
    if (written === undefined || written === "") return "";
    const key = countryCode + written;
    let code = this.#codes.get(key);
    if (code === undefined) {
      if (this.#codes.size >= MAX_CACHED_CODES) this.#codes.clear();
      code = postalCodeOf(written, countryCode);
      this.#codes.set(key, code);
    }
    return code;
  }

  #context(regions: PointRegions, city: string, { code, name }: State, countryCode: string, areas: Areas): Context {
    const last = this.#last;
    if (
      last?.regions === regions &&
      last.city === city &&
      last.code === code &&
      last.name === name &&
      last.countryCode === countryCode &&
      last.areas.district === areas.district &&
      last.areas.quarter === areas.quarter
    )
      return last.context;
    const context = this.#shared(regions, city, { code, name }, countryCode, areas);
    this.#last = { regions, city, code, name, countryCode, areas, context };
    return context;
  }

  /** The houses of a town share one context object, as most are in the same regions. */
  #shared(regions: PointRegions, city: string, { code, name }: State, countryCode: string, areas: Areas): Context {
    let known = this.#known.get(regions);
    if (!known) {
      known = new Map();
      this.#known.set(regions, known);
    }
    const key = `${city}\n${code}\n${name}\n${countryCode}\n${areas.district}\n${areas.quarter}`;
    let context = known.get(key);
    if (!context) {
      const { borough, county } = regions;
      context = {
        city,
        borough: borough?.name ?? areas.district,
        neighborhood: areas.quarter,
        county: county?.name ?? "",
        stateCode: code,
        state: name,
        countryCode,
      };
      known.set(key, context);
    }
    return context;
  }
}

const MAX_CACHED_CODES = 10_000;

interface State {
  code: string;
  name: string;
}

/** The state around it, by the name that its address has in a script of its own, as people there write it: 東京都. */
function stateOf(tags: Tags, { state }: PointRegions): State {
  const province = tags["addr:province"] ?? "";
  const written = upper(province, 3) === "" && province.length >= MIN_STATE_CHARACTERS ? province : "";
  return {
    code: state?.code || upper(tags["addr:state"] ?? province, 3),
    name: state === undefined || /^[^\p{Script=Latin}]+$/u.test(written) ? written || (state?.name ?? "") : state.name,
  };
}

/** A shorter text is a code. */
const MIN_STATE_CHARACTERS = 3;

/** A code of at most so many letters, else "", because states are also written out. */
function upper(text: string, letters: number): string {
  return text.length <= letters && /^[A-Za-z]{2,}$/.test(text) ? text.toUpperCase() : "";
}

/** The first of a list; the five digits of a US code. "" for what has no digit. */
export function postalCodeOf(written: string, countryCode: string): string {
  const code = written.split(/[;,]/)[0].trim().toUpperCase();
  if (!/\d/.test(code) || code.length > 12) return "";
  if (countryCode === "US") return /^(\d{5})(?:-\d{4})?$/.exec(code)?.[1] ?? "";
  // "BC V6B 2E2": the code is part of the text.
  if (countryCode === "CA") return code.replace(/^.*?\b([A-Z]\d[A-Z])[\s-]*(\d[A-Z]\d)\b.*$/, "$1 $2");
  return code;
}
