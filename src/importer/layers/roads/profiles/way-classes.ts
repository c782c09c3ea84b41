import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { rulesByHour, type TimedRules } from "./hourly-rules.ts";
import { LEGAL_LIMIT } from "./legal-limits.ts";
import { edgeProfile } from "./profile.ts";
import type { Rules } from "./rules.ts";
import type { LimitedRules } from "./vehicle-limits.ts";
import { byHour, CLOSED_PROFILE, withToll } from "./way-profiles.ts";

/** Everything that rules and profiles look at, without the direction that may follow (`maxspeed:forward`). */
const KEYS = [
  ...["highway", "route", "railway", "public_transport", "amenity", "man_made", "leisure", "bridge", "capacity:car"],
  ...[
    "construction",
    "impassable",
    "status",
    "area",
    "service",
    "junction",
    "motorroad",
    "duration",
    "conveying",
    "interval",
  ],
  ...["access", "vehicle", "motor_vehicle", "motorcar", "hgv", "goods", "bicycle", "foot"],
  ...["oneway", "oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle", "oneway:bicycle", "oneway:foot"],
  ...[
    "maxspeed:advisory",
    "maxspeed",
    "source:maxspeed",
    "maxspeed:type",
    "zone:maxspeed",
    "maxspeed:hgv",
    LEGAL_LIMIT,
  ],
  ...["maxheight:physical", "maxheight", "maxwidth:physical", "maxwidth", "width", "est_width"],
  ...["maxlength", "maxlength:hgv", "maxweightrating", "maxweightrating:hgv", "maxweight", "maxweight:hgv"],
  ...["maxaxleload", "maxaxles", "trailer", "maxspeed:trailer", "maxspeed:conditional", "maxspeed:hgv:conditional"],
  ...["maxspeed:motorcar:conditional", "hazmat", "hazmat:B", "hazmat:C", "hazmat:D", "hazmat:E"],
  ...["hazmat:adr_tunnel_code", "tunnel:category"],
  ...["sac_scale", "mtb:scale", "trail_visibility"],
  ...["surface", "tracktype", "smoothness", "lanes", "lane_markings", "side_road", "priority", "hov", "hov:lanes"],
  ...["cycleway", "cycleway:both", "cycleway:left", "cycleway:right"],
  ...["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"],
  ...["toll", "toll:hgv", "toll:motorcar", "toll:motor_vehicle"],
];
const DIRECTED = KEYS.flatMap((key) => [key, `${key}:forward`, `${key}:backward`]);
const READ = new Set(DIRECTED.flatMap((key) => [key, `${key}:conditional`]));

/** Could rules or profiles be others for this tag? */
export const isReadByRules = (key: string): boolean => READ.has(key);

type LimitedOfModes = readonly (LimitedRules | undefined)[] | undefined;

/** Ways whose tags say the same to all modes. */
export class WayClass {
  /** Those that apply while no condition is met; if no mode may then use the way, those at the first hour when one may. */
  readonly rules: readonly Rules[];
  readonly #tags: Tags;
  readonly #timed: TimedRules;
  /** Does every way of the class have the same profiles? The length counts on ferries, and where the map gives a duration. */
  readonly #isFixed: boolean;
  readonly #profiles: EdgeProfile[] = [];

  constructor(tags: Tags, timed: TimedRules) {
    this.rules = timed.rules;
    this.#tags = tags;
    this.#timed = timed;
    this.#isFixed = tags.route !== "ferry" && timed.rules.every(({ duration }) => !duration);
  }

  /** The profile of a piece of a way of `length` [m]; the same object where nothing differs. */
  profile(direction: "forward" | "backward", length: number, leftHand: boolean, border: boolean, toll: boolean) {
    const key = (direction === "forward" ? 0 : 1) + (leftHand ? 2 : 0) + (border ? 4 : 0) + (toll ? 8 : 0);
    const known = this.#profiles[key];
    if (known) return known;
    const made = this.#make(direction, length, leftHand, border, toll);
    if (this.#isFixed) this.#profiles[key] = made;
    return made;
  }

  #make(direction: "forward" | "backward", length: number, leftHand: boolean, border: boolean, toll: boolean) {
    const profileOf = (rules: readonly Rules[], limited: LimitedOfModes) => {
      const isOpen = rules.some((rule) => rule[direction]) || limited?.some((own) => own?.open[direction]);
      return isOpen
        ? edgeProfile(this.#tags, rules, direction, length, leftHand, border, limited)
        : { ...CLOSED_PROFILE, leftHand };
    };
    const timed = this.#timed;
    const hours = timed.hours.map(({ from, rules, limited }) => ({ from, profile: profileOf(rules, limited) }));
    const profile = hours.length > 0 ? byHour(hours, timed.calendar) : profileOf(timed.rules, timed.limited);
    const { passages, limited = [] } = profile;
    if (!passages.some(({ speed }) => speed > 0) && !limited.some((own) => own !== undefined)) return CLOSED_PROFILE;
    return toll ? withToll(profile) : profile;
  }
}

/** Classes that are remembered: a country has tens of thousands, and most of its ways are of a few hundred. */
const MAX_CACHED_CLASSES = 8192;

/** Classes of ways by their tags. Rules cost more than anything else of a road, and most roads are alike. */
export class WayClasses {
  #known = new Map<string, WayClass | null>();

  /** undefined when no mode may use the way. */
  of(tags: Tags): WayClass | undefined {
    const key = keyOf(tags);
    const known = this.#known.get(key);
    if (known !== undefined) return known ?? undefined;
    // All together: what is common comes back soon.
    if (this.#known.size >= MAX_CACHED_CLASSES) this.#known.clear();
    const timed = rulesByHour(tags);
    const made = timed && new WayClass(tags, timed);
    this.#known.set(key, made ?? null);
    return made;
  }
}

/** The tags that are read, as one text; lengths keep values apart whatever they hold. */
function keyOf(tags: Tags): string {
  let text = "";
  for (const key in tags) {
    const value: string | undefined = tags[key];
    if (value !== undefined && READ.has(key)) text += `${key}=${value.length}=${value}`;
  }
  return text;
}
