import { describe, expect, it } from "vitest";
import { inCountry } from "../../../../src/importer/layers/roads/profiles/access-by-country.ts";
import { rulesByHour } from "../../../../src/importer/layers/roads/profiles/hourly-rules.ts";
import { edgeProfile } from "../../../../src/importer/layers/roads/profiles/profile.ts";
import { limitedRulesOf } from "../../../../src/importer/layers/roads/profiles/vehicle-limits.ts";
import { isReadByRules, WayClasses } from "../../../../src/importer/layers/roads/profiles/way-classes.ts";
import { withToll } from "../../../../src/importer/layers/roads/profiles/way-profiles.ts";
import type { Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { seeded } from "../../../core/routing/graph/random-town.ts";
import { samples } from "../../../support/night.ts";

/** Values that lead into every branch of the rules. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  highway: [
    ...["motorway", "trunk_link", "primary", "residential", "service", "track", "footway", "steps", "cycleway", "path"],
    ...["pedestrian", "construction", "proposed", "bridleway", "corridor", "living_street"],
  ],
  route: ["ferry", "shuttle_train"],
  railway: ["platform", "tram", "train", "construction"],
  public_transport: ["platform"],
  amenity: ["parking", "parking_entrance"],
  man_made: ["pier"],
  leisure: ["track"],
  bridge: ["movable", "yes"],
  duration: ["00:10", "PT1H", "5"],
  oneway: ["yes", "-1", "no", "reversible", "alternating"],
  "oneway:bicycle": ["no", "yes", "-1"],
  "oneway:foot": ["yes", "-1", "no"],
  junction: ["roundabout", "circular"],
  bicycle: ["dismount", "yes", "no", "use_sidepath"],
  conveying: ["forward", "backward"],
  cycleway: ["lane", "opposite", "separate", "track"],
  "cycleway:left": ["lane", "opposite_lane", "separate"],
  "hov:lanes": ["designated|designated", "yes|designated"],
  lanes: ["1", "2"],
  lane_markings: ["no"],
  sac_scale: ["hiking", "mountain_hiking", "alpine_hiking"],
  "mtb:scale": ["0", "1+", "3"],
  trail_visibility: ["bad", "no"],
  surface: ["gravel", "sand", "asphalt", "cobblestone"],
  tracktype: ["grade1", "grade4"],
  priority: ["forward", "backward"],
  side_road: ["yes", "rotary"],
  construction: ["yes", "minor"],
  area: ["yes"],
};
const KEYS = [
  ...Object.keys(VALUES),
  ...["access", "vehicle", "motor_vehicle", "motorcar", "hgv", "goods", "foot", "hov", "toll", "toll:hgv", "motorroad"],
  ...[
    "toll:motorcar",
    "toll:motor_vehicle",
    "maxspeed",
    "maxspeed:hgv",
    "maxspeed:advisory",
    "source:maxspeed",
    "maxspeed:type",
  ],
  ...[
    "maxheight",
    "maxheight:physical",
    "maxwidth",
    "maxwidth:physical",
    "width",
    "est_width",
    "maxlength",
    "maxweight",
  ],
  ...["maxweightrating", "maxweight:hgv", "maxlength:hgv", "maxweightrating:hgv", "impassable", "status", "service"],
  ...["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right", "cycleway:both", "cycleway:right", "smoothness"],
  ...["oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle", "capacity:car"],
];
const COMMON = [
  "yes",
  "no",
  "private",
  "destination",
  "designated",
  "permissive",
  "2",
  "3.5",
  "30 mph",
  "7.5",
  "separate",
  "impassable",
  "alley",
  "bad",
];

function randomTags(random: () => number): Tags {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const tags: Record<string, string> = { highway: pick(VALUES.highway) };
  if (random() < 0.2) delete tags.highway;
  for (let i = Math.floor(random() * 7); i > 0; i--) {
    const key = pick(KEYS);
    const suffix = random() < 0.2 ? pick([":forward", ":backward"]) : "";
    tags[key + suffix] = pick(VALUES[key] ?? COMMON);
  }
  return tags;
}

const DIRECTIONS = ["forward", "backward"] as const;

describe("classes of ways", () => {
  it("know every tag that rules and profiles look at", () => {
    const random = seeded(3);
    const read = new Set<string>();
    for (let i = 0; i < samples(6_000, 20_000); i++) {
      const tags = new Proxy(randomTags(random), {
        get(target: Tags, key: string) {
          read.add(key);
          return target[key];
        },
      });
      const rules = rulesByHour(tags)?.rules;
      const limits = limitedRulesOf(tags);
      if (rules) for (const direction of DIRECTIONS) edgeProfile(tags, rules, direction, 100, false, false, limits);
    }
    expect(read.size).toBeGreaterThan(100);
    expect([...read].filter((key) => !isReadByRules(key))).toEqual([]);
    // And no tag stands in the way that nobody reads: names and numbers are in no class.
    for (const key of ["name", "ref", "name:de", "lit", "source", "destination", "turn:lanes"]) {
      expect(isReadByRules(key)).toBe(false);
    }
  });

  it("give a way the rules and profiles that it has alone, whichever ways came before", () => {
    const random = seeded(4);
    const classes = new WayClasses();
    let closed = 0;
    for (let i = 0; i < samples(6_000, 20_000); i++) {
      const tags = { ...randomTags(random), name: `Street ${i}` };
      const rules = rulesByHour(tags)?.rules;
      const found = classes.of(tags);
      expect(found?.rules).toEqual(rules);
      if (!rules || !found) {
        closed++;
        continue;
      }
      const [leftHand, border, toll] = [random() < 0.3, random() < 0.1, random() < 0.1];
      const length = 1 + Math.floor(random() * 5000);
      for (const direction of DIRECTIONS) {
        if (!rules.some((rule) => rule[direction])) continue;
        const own = edgeProfile(tags, rules, direction, length, leftHand, border, limitedRulesOf(tags));
        expect(found.profile(direction, length, leftHand, border, toll)).toEqual(toll ? withToll(own) : own);
      }
    }
    expect(closed).toBeGreaterThan(100);
    expect(closed).toBeLessThan(15_000);
  });

  it("give the default vehicles what the rules give them, where limits concern others, too", () => {
    const random = seeded(5);
    let limited = 0;
    for (let i = 0; i < samples(3_000, 20_000); i++) {
      const tags = randomTags(random);
      const rules = rulesByHour(tags)?.rules;
      // Rules read the first of these only.
      if (!rules || Object.keys(tags).filter((key) => key.startsWith("maxweight")).length > 1) continue;
      for (const direction of DIRECTIONS) {
        const plain = edgeProfile(tags, rules, direction, 100, false, false);
        const own = edgeProfile(tags, rules, direction, 100, false, false, limitedRulesOf(tags));
        if (own.limited) limited++;
        const open = ({ passages }: typeof own) => passages.map((one) => (one.speed === 0 ? 0 : one));
        expect(open(own), JSON.stringify(tags)).toEqual(open(plain));
      }
    }
    expect(limited).toBeGreaterThan(100);
  });

  it("keep values apart that read alike when they are written one after the other", () => {
    const classes = new WayClasses();
    const one = classes.of({ highway: "residential", access: "no", foot: "yes" });
    const other = classes.of({ highway: "residential", access: "nofoot=3=yes" });
    expect(one).not.toBe(other);
  });
});

describe("the law of a country", () => {
  it.each([
    [undefined, { highway: "cycleway" }, "-", "ride"],
    ["DE", { highway: "cycleway" }, "-", "ride"],
    ["CH", { highway: "cycleway" }, "walk", "ride"],
    ["CH", { highway: "cycleway", foot: "no" }, "-", "ride"],
    ["CH", { highway: "cycleway", sidewalk: "separate" }, "-", "ride"],
    ["GB", { highway: "bridleway" }, "walk", "ride"],
    ["GB", { highway: "bridleway", access: "private" }, "-", "-"],
    ["SE", { highway: "bridleway" }, "walk", "push"],
    ["AT", { highway: "path" }, "walk", "push"],
    ["AT", { highway: "path", bicycle: "yes" }, "walk", "ride"],
    ["IT", { highway: "pedestrian" }, "walk", "ride"],
    ["DE", { highway: "pedestrian" }, "walk", "push"],
    ["DE", { highway: "trunk" }, "walk", "ride"],
    ["DE", { highway: "trunk", motorroad: "yes" }, "-", "-"],
    ["FR", { highway: "trunk" }, "-", "-"],
    ["NO", { highway: "footway", vehicle: "no" }, "walk", "-"],
  ] as [string | undefined, Tags, string, string][])(
    "in %s opens %j to walkers (%s) and bikes (%s)",
    (country, tags, foot, bike) => {
      expect(openTo(tags, country)).toEqual([foot, bike]);
    },
  );

  /** Valhalla's adminconstants.h (MIT), by country: kinds of roads that walkers and bikes may use (FB), walkers alone (F), or neither. */
  const VALHALLA = {
    "AU IS NO BY": { footway: "FB" },
    "AT FR BE DK HU SK CH": { trunk: "", trunk_link: "" },
    AT: { path: "F" },
    "BY BE CN FR FI IS IT NO PH ES SE TH US": { pedestrian: "FB" },
    "BR GB GR IE OM PH PL RO TH US": { bridleway: "FB" },
    "BE SE TR": { bridleway: "F" },
    "BY BE DK GB FI GR HU IS NL NO OM PH PL SE CH TH TR US": { cycleway: "FB" },
    "RO RU": { cycleway: "B" },
    "BE CN FR NL PH PL RO ES TH US": { path: "FB" },
    "NL ES": { trunk: "FB", trunk_link: "FB" },
  };

  it("is that of its source, for each country and kind of road", () => {
    const said = new Map<string, string>();
    for (const [countries, kinds] of Object.entries(VALHALLA))
      for (const country of countries.split(" "))
        for (const [kind, who] of Object.entries(kinds)) said.set(`${country} ${kind}`, who);
    const codes = new Set([...said.keys()].map((key) => key.slice(0, 2)));
    // Open by the wiki's table, where Valhalla says nothing.
    const trunk = "DE FI GB IE IS NO PL SE UA".split(" ").flatMap((code) => [`${code} trunk`, `${code} trunk_link`]);
    for (const key of trunk) said.set(key, "FB");
    for (const country of [...codes, "DE", "UA", "PT", "MT", "JP", "CA"]) {
      for (const highway of ["footway", "pedestrian", "bridleway", "cycleway", "path", "trunk", "trunk_link"]) {
        const who = said.get(`${country} ${highway}`);
        const [foot, bike] = openTo({ highway }, country);
        if (who === undefined)
          expect([country, highway, foot, bike]).toEqual([country, highway, ...openTo({ highway })]);
        else
          expect([country, highway, foot === "walk", bike === "ride"]).toEqual([
            country,
            highway,
            who.includes("F"),
            who.includes("B"),
          ]);
      }
    }
  });
});

/** How walkers and cyclists use a road. */
function openTo(tags: Tags, country?: string): [foot: string, bike: string] {
  const rules = rulesByHour(inCountry(tags, country))?.rules;
  const ridden = rules?.[3].forward;
  return [rules?.[2].forward ? "walk" : "-", ridden ? (ridden.travel === 2 ? "push" : "ride") : "-"];
}
