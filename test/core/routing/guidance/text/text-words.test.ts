import { describe, expect, it } from "vitest";
import { banner } from "../../../../../src/core/routing/guidance/text/banner.ts";
import { instruction } from "../../../../../src/core/routing/guidance/text/instruction.ts";
import { LANGUAGES, type Language } from "../../../../../src/core/routing/guidance/text/translation.ts";
import { voice } from "../../../../../src/core/routing/guidance/text/voice.ts";
import type { ManeuverType, Modifier, Step } from "../../../../../src/core/routing/guidance/types.ts";

const TYPES: ManeuverType[] = [
  ...(["depart", "arrive", "turn", "new name", "continue", "merge", "on ramp", "off ramp", "fork"] as const),
  ...(["end of road", "roundabout", "rotary", "roundabout turn", "exit roundabout", "exit rotary"] as const),
  "notification",
];
const MODIFIERS: (Modifier | undefined)[] = [
  ...([undefined, "uturn", "sharp right", "right", "slight right", "straight"] as const),
  ...(["slight left", "left", "sharp left"] as const),
];
/** Names no language knows. */
const ROADS: Partial<Step>[] = [
  {},
  { name: "Qxq" },
  { name: "Qxq", ref: "Zzz 9" },
  { destination: "Vvv" },
  { exitRef: "12" },
  { exitRef: "12", destination: "Vvv" },
  { mode: "ferry", name: "Qxq" },
  { mode: "pushing", name: "Qxq" },
  { rotaryName: "Wwq" },
];
const HERE = { latitude: 1, longitude: 1 };

/** Everything that is ever said in a language: every maneuver, every kind of road, near and far, in both units. */
function everything(language: Language): string[] {
  const said = new Set<string>();
  for (const type of TYPES) {
    for (const modifier of MODIFIERS) {
      for (const road of ROADS) {
        for (const exit of /^ro/.test(type) ? [undefined, 1, 3, 11] : [undefined]) {
          const step: Step = {
            maneuver: { type, modifier, location: HERE, bearingBefore: 0, bearingAfter: 45, exit },
            distance: 1500,
            duration: 90,
            geometry: [HERE, HERE],
            name: "",
            ref: "",
            class: "primary",
            mode: "driving",
            drivingSide: "right",
            ...road,
          };
          said.add(instruction(step, language));
          said.add(instruction(step, language, { waypoint: 2, dismount: true }));
          said.add(banner(step, language));
          said.add(voice(step, { ...step, distance: 300 }, language, "metric"));
          said.add(voice(step, { ...step, distance: 9000 }, language, "imperial"));
        }
      }
    }
  }
  return [...said];
}

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];
const INVENTED = new Set(["qxq", "zzz", "vvv", "wwq"]);
/** Words that two languages share. */
const SHARED: Partial<Record<Language, string[]>> = {
  de: ["in"],
  es: ["a", "ferry"],
  fr: ["ferry", "destination", "miles"],
  pt: ["a", "continue"],
  "pt-PT": ["a", "continue", "ferry"],
};

describe.each(LANGUAGES)("what is said in %s", (language) => {
  const said = everything(language);

  it("has no word of English in it", () => {
    if (language === "en") return;
    const english = new Set(everything("en").flatMap(wordsOf));
    const found = new Set(said.flatMap(wordsOf).filter((word) => english.has(word) && !INVENTED.has(word)));
    expect([...found].filter((word) => !SHARED[language]?.includes(word))).toEqual([]);
  });

  it("leaves no gap, no brace and no word twice", () => {
    const broken = said.filter(
      (text) =>
        text === "" ||
        text !== text.trim() ||
        /[{}]| {2}| [,.]|undefined|(?<!\p{L})(\p{L}{2,}) \1(?!\p{L})/iu.test(text),
    );
    expect(broken).toEqual([]);
  });
});
