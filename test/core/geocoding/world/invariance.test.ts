import { beforeAll, describe, expect, it } from "vitest";
import type { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import type { Found } from "../../../../src/core/geocoding/search/found.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { baseQuestions, contradictedQuestions } from "../../../support/geocoding/base-questions.ts";
import type { Question } from "../../../support/geocoding/question.ts";
import { samples } from "../../../support/night.ts";
import { FORWARD, worldBase } from "../index/demo-index.ts";

/** Other ways to write the same, which the first answer must survive. */
const WAYS: readonly (readonly [what: string, write: (text: string) => string])[] = [
  ["in capitals", (text) => text.toUpperCase()],
  ["without commas", (text) => text.replaceAll(",", "")],
  ["without accents", (text) => text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC")],
  ["the other way round", (text) => text.split(", ").reverse().join(", ")],
];

/** Every so many questions, of each kind that names a city or an area and what it is in. */
function asked(seed: number): Question[] {
  const sets = Map.groupBy(baseQuestions(seed), ({ set }) => set);
  return KINDS.flatMap((set) => {
    const own = sets.get(set)!;
    const step = Math.ceil(own.length / samples(20, 400));
    return own.filter((_, i) => i % step === seed % step);
  });
}
const KINDS = ["US city, state", "city, country", "exonym, country", "state, country", "address not imported"];

describe("without an import, of generated questions", () => {
  let world: AddressIndex;
  const questions = asked(521);
  beforeAll(async () => {
    world = (await worldBase()).index;
  }, 900_000);
  const answersTo = (text: string): Promise<Found[]> => searchInTurns([[world]], text, FORWARD);
  const placeOf = (one: Found | undefined) => one && `${one.kind} ${one.name} ${one.location.latitude}`;

  it("one in a hundred has another first answer if it is written otherwise", async () => {
    const changed: string[] = [];
    let count = 0;
    for (const { query } of questions) {
      const [own] = await answersTo(query);
      for (const [what, write] of WAYS) {
        const text = write(query);
        if (text === query) continue;
        count++;
        const [other] = await answersTo(text);
        if (placeOf(own) !== placeOf(other)) changed.push(`${text} (${what}): ${placeOf(other)}, not ${placeOf(own)}`);
      }
    }
    expect(count).toBeGreaterThan(200);
    expect({ share: changed.length / count <= 0.01, changed }).toEqual({ share: true, changed });
  }, 900_000);

  it("none has an answer in another country, or state of the US, than the one that is named", async () => {
    const wrong: string[] = [];
    for (const { set, query, from } of questions) {
      if (set === "address not imported" && from !== "US") continue;
      const state = /, ([A-Z]{2})$/.exec(query)?.[1];
      for (const one of await answersTo(query)) {
        const { countryCode, stateCode } = one.context;
        const isIn = countryCode === "" || countryCode === from;
        if (!isIn || (from === "US" && state && stateCode !== "" && stateCode !== state))
          wrong.push(`${query}: ${one.name}, ${stateCode} ${countryCode}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 900_000);

  it("none is exact where it contradicts a named country, or state of the US, with a street or without", async () => {
    const wrong: string[] = [];
    let [fallbacks, inArea] = [0, 0];
    for (const { query, from, set: state } of contradictedQuestions(52, samples(150, 3000))) {
      const found = await answersTo(query);
      for (const { context, confidence, name } of found) {
        const isIn = context.countryCode === from && [state, ""].includes(state === "" ? "" : context.stateCode);
        // "Zárate, AR" is in Argentina.
        if (isIn || query.endsWith(`, ${context.countryCode}`)) inArea++;
        else if (confidence === "fallback") fallbacks++;
        else wrong.push(`${query}: ${name}, ${context.stateCode} ${context.countryCode}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(inArea).toBeGreaterThan(5 * fallbacks);
  }, 900_000);
});
