import { expect, it } from "vitest";
import { guidedStep } from "../../../../../src/core/routing/guidance/steps/build-steps.ts";
import { guide } from "../../../../../src/core/routing/guidance/steps/steps.ts";
import { withParticle } from "../../../../../src/core/routing/guidance/text/particles.ts";
import { LANGUAGES } from "../../../../../src/core/routing/guidance/text/translation.ts";
import type { Step } from "../../../../../src/core/routing/guidance/types.ts";
import { seeded } from "../../graph/random-town.ts";
import { roadsOfTown } from "../../graph/road-build.ts";

const ROUTES = 2000;
/** Prepositions and verbs of which a sentence has at most one, with names left out. */
const ONCE: Partial<Record<(typeof LANGUAGES)[number], RegExp>> = {
  fr: /\bsur\b.*\bsur\b|prendre.*prendre/i,
  pt: /\bem\b.*\bem\b|Siga (norte|sul|leste|oeste|nord|sud)|Vire (suave|fechada)/,
  de: /\bauf\b.*\bauf\b|\bnehmen\b.+\bnehmen\b/,
  en: /\bonto\b.*\bonto\b|\bon\b.*\bon\b/,
  es: /\bhacia\b.*\bhacia\b/,
};
const NAME = /Street \d+/g;

let steps: Promise<Step[][]> | undefined;

async function generated(): Promise<Step[][]> {
  const { router } = await roadsOfTown(20, 8);
  const random = seeded(17);
  const point = () => ({ latitude: 41 + random() * 0.019, longitude: -8 + random() * 0.025 });
  const legs: Step[][] = [];
  while (legs.length < ROUTES) {
    const [from, to] = [point(), point()];
    const route = await router.route([from, to], { mode: "car", reach: 300 }).catch(() => undefined);
    if (!route) continue;
    const { path, network } = router.view(route.legs[0], to);
    // Few names, so that one often turns from a road onto one of the same name.
    const named = (name: string) => name.replace(/\d+/, (id) => String(Number(id) % 5));
    legs.push(guide(path, network).map((step) => ({ ...step, name: named(step.name) })));
  }
  return legs;
}

it.each(LANGUAGES)(
  "no sentence of 2,000 routes in %s repeats a word, a space, a stop or the road one is on",
  async (lang) => {
    steps ??= generated();
    const wrong = new Set<string>();
    for (const leg of await steps) {
      leg.forEach((step, index) => {
        const before = leg[index - 1];
        const { instructions } = guidedStep(step, before, { lang, units: "metric" }, () => []);
        const plain = instructions.replace(NAME, "N");
        const isRepeated = / {2}|\.\.| [.,]|(^|\s)(\p{L}{2,}) \2(?=\s|$)/u.test(plain) || ONCE[lang]?.test(plain);
        const isTurn = step.mode === "driving" && ["turn", "end of road", "fork", "merge"].includes(step.maneuver.type);
        const turnsOnto = before && before.name === step.name && isTurn && step.maneuver.modifier !== "straight";
        const other = { ...before!, name: "Other" };
        // "左に曲がり、X を進む" says both: turn left, and follow X.
        const isTold = lang !== "ja" && turnsOnto;
        if (isRepeated) wrong.add(instructions);
        if (isTold && guidedStep(step, other, { lang, units: "metric" }, () => []).instructions === instructions)
          wrong.add(`on it: ${instructions}`);
      });
    }
    expect([...wrong].slice(0, 10)).toEqual([]);
  },
);

it.each([
  ["서울", "로"],
  ["부산", "으로"],
  ["강남대로", "로"],
  ["종각역", "으로"],
  ["Main Street (B 3)", "으로"],
  ["A 1", "로"],
  ["A 6", "으로"],
  ["Station", "으로"],
])("the Korean particle follows the last sound of %s", (name, particle) => {
  expect(withParticle(name, "로 가세요.")).toBe(`${particle} 가세요.`);
  expect(withParticle(name, " 으로 가세요.")).toBe(`${particle} 가세요.`);
});
