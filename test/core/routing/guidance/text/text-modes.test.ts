import { describe, expect, it } from "vitest";
import { instruction } from "../../../../../src/core/routing/guidance/text/instruction.ts";
import { LANGUAGES } from "../../../../../src/core/routing/guidance/text/translation.ts";
import { voice } from "../../../../../src/core/routing/guidance/text/voice.ts";
import type { Lane, ManeuverType, Modifier, TravelMode } from "../../../../../src/core/routing/guidance/types.ts";
import { step } from "../some-steps.ts";

const TYPES: ManeuverType[] = [
  ...(["depart", "arrive", "turn", "new name", "continue", "fork", "end of road", "roundabout"] as const),
  ...(["rotary", "roundabout turn", "exit roundabout", "exit rotary", "notification"] as const),
];
const MODIFIERS: Modifier[] = [
  ...(["uturn", "sharp right", "right", "slight right", "straight", "slight left", "left", "sharp left"] as const),
];

/** All sentences for a mode, with names that no language has. */
function sentences(language: (typeof LANGUAGES)[number], mode: TravelMode): string[] {
  const said = TYPES.flatMap((type) =>
    MODIFIERS.flatMap((modifier) =>
      [{}, { name: "" }, { destination: "Zzz" }, { rotaryName: "Zzz" }].flatMap((rest) => {
        const one = step({ type, modifier, exit: 2 }, { name: "Zzz", mode, ...rest });
        return [instruction(one, language), voice(one, step({}, { distance: 300 }), language, "metric")];
      }),
    ),
  );
  return [...new Set(said)];
}

/** Words of driving that a walker or a cyclist must not hear. */
const OF_DRIVERS: Partial<Record<(typeof LANGUAGES)[number], Partial<Record<TravelMode, RegExp>>>> = {
  de: { walking: /\p{L}*(?<!aus|auf)fahren|auffahren/iu, pushing: /\p{L}*(?<!aus|auf)fahren|auffahren/iu },
  en: { walking: /\bdriv|\blane/i, cycling: /\bdriv|\blane/i },
  es: { walking: /conduc|manej|carril/i, cycling: /conduc|manej|carril/i },
  fr: { walking: /condui|roul|voie/i, cycling: /condui|voie/i },
  ja: { walking: /車線|運転|走行/, cycling: /車線|運転/ },
  ko: { walking: /운전|주행|차선/, cycling: /운전|차선/ },
  pt: { walking: /dirij|conduz|faixa/i, cycling: /dirij|conduz|faixa/i },
  "pt-PT": { walking: /conduz|faixa/i, cycling: /conduz|faixa/i },
  ru: { walking: /перестр|двига|движени|едьте|полос/i, cycling: /перестр|полос/i },
};

describe.each(LANGUAGES)("sentences in %s", (language) => {
  it.each(["walking", "pushing", "cycling"] as const)("have no word of driving for people %s", (mode) => {
    const words = OF_DRIVERS[language]?.[mode];
    expect(sentences(language, mode).filter((sentence) => words?.test(sentence))).toEqual([]);
  });
});

describe("sentences for people who walk", () => {
  it.each([
    ["de", { type: "depart" }, "Gehen Sie Richtung Norden auf Main Street"],
    ["de", { type: "new name", modifier: "straight" }, "Weitergehen auf Main Street"],
    ["de", { type: "turn", modifier: "straight" }, "Geradeaus weitergehen auf Main Street"],
    ["ja", { type: "fork", modifier: "slight left" }, "Main Streetの左の道を進む"],
    ["ru", { type: "new name", modifier: "straight" }, "Идите дальше по Main Street"],
    ["ru", { type: "depart" }, "Идите в северном направлении по Main Street"],
  ] as const)("in %s have the verbs of walking", (language, maneuver, text) => {
    expect(instruction(step(maneuver, { mode: "walking" }), language)).toBe(text);
  });

  it("keep the verbs of driving in names", () => {
    const street = step({ type: "turn", modifier: "left" }, { mode: "walking", name: "Weiterfahren" });
    expect(instruction(street, "de")).toBe("Links abbiegen auf Weiterfahren");
  });
});

describe("sentences in English", () => {
  it("make every sharp turn", () => {
    const sharp = TYPES.filter((type) => type !== "arrive" && type !== "depart" && !/ro(undabout|tary)/.test(type))
      .flatMap((type) => [{ name: "" }, {}].map((rest) => step({ type, modifier: "sharp right" }, rest)))
      .map((one) => instruction(one, "en"))
      .filter((sentence) => !sentence.startsWith("Continue"));
    expect(sharp.filter((sentence) => !sentence.startsWith("Make a sharp right"))).toEqual([]);
    expect(sharp).toContain("Make a sharp right onto Main Street");
  });
});

describe("sentences in European Portuguese", () => {
  it("name a rotunda, and no person", () => {
    const said = sentences("pt-PT", "driving").join("\n");
    expect(said).toMatch("rotunda");
    expect(said).not.toMatch(/rotatória|você|\btu\b|\bteu\b|\btua\b/i);
  });

  it("differ from those in Brazilian Portuguese", () => {
    const one = step({ type: "roundabout turn", modifier: "left" });
    expect(instruction(one, "pt-PT")).toBe("Na rotunda, vire à esquerda para Main Street");
    expect(instruction(one, "pt")).toBe("Na rotatória, vire à esquerda em Main Street");
  });
});

describe("a small roundabout", () => {
  it.each([
    ["de", "left", "Im Kreisverkehr links abbiegen auf Main Street"],
    ["de", "uturn", "Im Kreisverkehr wenden auf Main Street"],
    ["en", "straight", "At the roundabout, continue straight onto Main Street"],
    ["en", "sharp right", "At the roundabout, make a sharp right onto Main Street"],
    ["en", "uturn", "At the roundabout, make a U-turn and continue on Main Street"],
    ["es", "right", "En la rotonda, gira a la derecha en Main Street"],
    ["fr", "left", "Au giratoire, tourner à gauche sur Main Street"],
    ["ru", "right", "На круговой развязке поверните направо на Main Street"],
  ] as const)("is named in %s before a turn %s", (language, modifier, text) => {
    expect(instruction(step({ type: "roundabout turn", modifier, exit: 1 }), language)).toBe(text);
  });
});

describe("the name of a junction", () => {
  const junction = { name: "", junctionName: "銀座四丁目" };

  it("is told where the road after it has none", () => {
    expect(instruction(step({ modifier: "left" }, junction), "ja")).toBe("銀座四丁目を左折です");
    expect(instruction(step({ modifier: "left" }, junction), "en")).toBe("Turn left at 銀座四丁目");
    expect(instruction(step({ modifier: "left" }, { junctionName: "X" }), "en")).toBe("Turn left onto Main Street");
  });
});

describe("the lanes in a voice instruction", () => {
  const said = (pattern: string, modifier: Modifier, language: (typeof LANGUAGES)[number] = "en") => {
    const lanes = [...pattern].map((mark): Lane => {
      const valid = mark !== "x";
      return { indications: ["none"], valid, active: mark === "o" };
    });
    return voice(step({ modifier }, { lanes }), step({}, { distance: 300 }), language, "metric");
  };

  it("are told where the maneuver does not imply them", () => {
    expect(said("oox", "straight")).toBe("In 300 meters, keep left, then go straight onto Main Street");
    expect(said("xox", "left")).toBe("In 300 meters, keep in the middle, then turn left onto Main Street");
    expect(said("xvo", "left")).toBe("In 300 meters, keep right, then turn left onto Main Street");
    expect(said("xxo", "left", "de")).toBe("In 300 Metern rechts halten, danach links abbiegen auf Main Street");
  });

  it("are not told where they are on the side of the turn, or all lead on", () => {
    const plain = "In 300 meters, turn left onto Main Street";
    expect([said("oxx", "left"), said("oo", "left"), said("xx", "left")]).toEqual([plain, plain, plain]);
  });
});
