import type { Tags } from "../../../osm/pbf/element.ts";
import LEGAL from "./legal-limits.json" with { type: "json" };

const MPH = 1.609;

interface LegalLimits {
  urban?: number;
  rural?: number;
  trunk?: number;
  motorway?: number;
}

/** Limits by country (ISO 3166-1) where no sign says otherwise [km/h]. */
const LIMITS: ReadonlyMap<string, LegalLimits> = new Map(
  Object.entries(LEGAL.limits).map(([code, text]) => {
    const unit = LEGAL.mph.split(" ").includes(code) ? MPH : 1;
    const [urban, rural, trunk, motorway] = text
      .split(" ")
      .map((one) => (one === "-" ? undefined : Number(one) * unit));
    return [code, { urban, rural, trunk, motorway }];
  }),
);

/** The same by zone, as tags name them: "pt:urban". */
export const LEGAL_ZONES: Readonly<Record<string, number>> = Object.fromEntries(
  [...LIMITS].flatMap(([code, limits]) =>
    Object.entries(limits)
      .filter(([, limit]) => limit !== undefined)
      .map(([zone, limit]) => [`${code.toLowerCase()}:${zone}`, limit]),
  ),
);

/** The tag with the limit of the law, which no mapper writes. */
export const LEGAL_LIMIT = " legal limit";

/** Trunk roads through a town are built for more than its streets [km/h]. */
const TRUNK_IN_TOWN = 20;

const STREETS = /^(primary|secondary|tertiary|unclassified|residential|living_street|service)(_link)?$/;

/** The tags of a road with the limit of its country's law, outside towns and in built-up areas; the same object where it has none. */
export function withLegalLimit(tags: Tags, country: string | undefined): { rural: Tags; builtUp: Tags } {
  const limits = country === undefined ? undefined : LIMITS.get(country);
  const { highway } = tags;
  if (!limits || !highway || tags.maxspeed !== undefined) return { rural: tags, builtUp: tags };
  const zone = /:(urban|rural)$/i.exec(tags["zone:traffic"] ?? "")?.[1].toLowerCase();
  const with_ = (limit: number | undefined): Tags =>
    limit === undefined ? tags : { ...tags, [LEGAL_LIMIT]: String(Math.round(limit)) };
  const { urban, rural, trunk, motorway } = limits;
  if (highway === "motorway") return same(with_(motorway));
  const isExpressway = tags.motorroad === "yes" || tags.expressway === "yes";
  if (isExpressway && trunk !== undefined) return same(with_(trunk));
  if (highway === "trunk" || highway === "trunk_link") {
    const inTown = urban === undefined ? undefined : urban + TRUNK_IN_TOWN;
    const outside = rural === undefined ? undefined : Math.max(rural, inTown ?? 0);
    return byZone(with_(outside), with_(inTown), zone);
  }
  return STREETS.test(highway) ? byZone(with_(rural), with_(urban), zone) : same(tags);
}

const same = (tags: Tags) => ({ rural: tags, builtUp: tags });

const byZone = (rural: Tags, builtUp: Tags, zone: string | undefined) =>
  zone === "urban" ? same(builtUp) : zone === "rural" ? same(rural) : { rural, builtUp };
