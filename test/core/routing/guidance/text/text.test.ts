import { describe, expect, it } from "vitest";
import { inflect, LANGUAGES } from "../../../../../src/core/routing/guidance/text/translation.ts";
import { spokenDistance } from "../../../../../src/core/routing/guidance/text/voice.ts";
import { WORDS } from "../../../../../src/core/routing/guidance/text/words.ts";
import type { ManeuverType, Modifier } from "../../../../../src/core/routing/guidance/types.ts";
import { CASES, speak } from "./text-cases.ts";
import { TEXTS } from "./text-table.ts";

describe.each(LANGUAGES)("the words of %s", (language) => {
  it.each(Object.keys(CASES))("say %s", (title) => {
    expect(speak(CASES[title], language)).toBe(TEXTS[title][language]);
  });

  it("name a road that has the roundabout's name once, and no exit where the leg ends on the roundabout", () => {
    for (const type of ["rotary", "exit rotary", "roundabout"] as const) {
      for (const exit of [2, undefined]) {
        const rotaryName = type === "roundabout" ? undefined : "Ring";
        const say = (name: string) => speak({ maneuver: { type, exit }, rest: { name, rotaryName } }, language);
        expect(say("Ring").split("Ring").length, say("Ring")).toBeLessThanOrEqual(2);
        const isLeft = exit !== undefined || type === "exit rotary";
        expect(say("Main").includes("Main"), say("Main")).toBe(isLeft);
      }
    }
  });

  it("say the word of a ferry once where its name begins with it", () => {
    const text = TEXTS["a ferry"][language];
    const [, word = "Xxxx"] = /(\S+) Line 1/.exec(text) ?? [];
    const ferry = (name: string) => speak({ ...CASES["a ferry"], rest: { mode: "ferry", name } }, language);
    const name = word.charAt(0).toUpperCase() + word.slice(1);
    if (name !== "Xxxx") expect(ferry(`${name} Valletta`)).toBe(text.replace("Line 1", "Valletta"));
    // A name alone, or one that only begins alike, is whole.
    for (const whole of [name, `${name}s 2`]) expect(ferry(whole)).toContain(whole);
    expect(speak({ maneuver: { type: "turn", modifier: "left" }, rest: { name: "EN 12-1" } }, language)).toContain(
      "EN 12-1",
    );
  });

  it("are there for every maneuver, with nothing left to fill in", () => {
    const types: ManeuverType[] = [
      "depart",
      "arrive",
      "turn",
      "new name",
      "continue",
      "merge",
      "on ramp",
      "off ramp",
      "fork",
      "end of road",
      "roundabout",
      "rotary",
      "roundabout turn",
      "exit roundabout",
      "exit rotary",
      "notification",
    ];
    const modifiers: Modifier[] = [
      "uturn",
      "sharp right",
      "right",
      "slight right",
      "straight",
      "slight left",
      "left",
      "sharp left",
    ];
    const rests = [{}, { name: "" }, { name: "", exitRef: "4" }, { destination: "Porto" }, { rotaryName: "Ring" }];
    for (const type of types) {
      for (const modifier of modifiers) {
        for (const rest of rests) {
          for (const as of ["banner", "voice", undefined] as const) {
            const text = speak({ maneuver: { type, modifier, exit: 12 }, rest, as, after: 500 }, language);
            expect(text, `${type} ${modifier}`).toMatch(/\S/);
            expect(text).not.toMatch(/[{}]|undefined| {2}|^\s|\s$/);
          }
        }
      }
    }
  });
});

describe("a spoken distance", () => {
  it.each([
    [4, "10 meters", "10 feet"],
    [96, "100 meters", "300 feet"],
    [412, "400 meters", "0.3 miles"],
    [974, "950 meters", "0.6 miles"],
    [1000, "1 kilometer", "0.6 miles"],
    [1609.344, "1.6 kilometers", "1 mile"],
    [9960, "10 kilometers", "6.2 miles"],
    [48_000, "48 kilometers", "30 miles"],
  ])("of %d m is said as %s or %s", (metres, metric, imperial) => {
    expect(spokenDistance(metres, "metric", WORDS.en)).toBe(metric);
    expect(spokenDistance(metres, "imperial", WORDS.en)).toBe(imperial);
  });

  it.each([
    [50, "50 метров"],
    [1000, "1 километр"],
    [2000, "2 километра"],
    [5000, "5 километров"],
    [1500, "1,5 километра"],
    [11_000, "11 километров"],
    [21_000, "21 километр"],
  ])("of %d m has the Russian form %s", (metres, text) => {
    expect(spokenDistance(metres, "metric", WORDS.ru)).toBe(text);
  });
});

describe("names in a sentence", () => {
  it("stand in the Russian case the sentence asks for", () => {
    expect(inflect("ru", "Большая Монетная улица", "accusative")).toBe("Большую Монетную улицу");
    expect(inflect("ru", "Большая Монетная улица", "dative")).toBe("Большой Монетной улице");
    expect(inflect("ru", "Невский проспект", "prepositional")).toBe("Невском проспекте");
  });

  it("take the French article", () => {
    expect(inflect("fr", "Avenue Foch", "article")).toBe("l’avenue Foch");
    expect(inflect("fr", "Rue de Rivoli", "article")).toBe("la rue de Rivoli");
  });

  it("stay as they are where no rule knows them", () => {
    expect(inflect("ru", "Main Street", "accusative")).toBe("Main Street");
    expect(inflect("en", "Main Street", "accusative")).toBe("Main Street");
  });
});
