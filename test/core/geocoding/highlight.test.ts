import { describe, expect, it } from "vitest";
import { highlight, highlighterOf } from "../../../src/core/geocoding/label/highlight.ts";
import { layersOf, textOf } from "../../../src/core/geocoding/search/structured.ts";

/** The label with what was named in brackets. */
function shown(query: string, label: string, open = true): string {
  const spans = highlight(highlighterOf(query, open), label);
  return spans.reduceRight(
    (text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`,
    label,
  );
}

describe("what of a label a query named", () => {
  it.each([
    ["jay st brook", "20 Jay St, Brooklyn, NY 11201 USA", "20 [Jay St], [Brook]lyn, NY 11201 USA"],
    ["20 jay street", "20 Jay St, Brooklyn, NY 11201 USA", "[20 Jay St], Brooklyn, NY 11201 USA"],
    ["broklyn ", "Brooklyn, NY USA", "[Brooklyn], NY USA"],
    ["strasse des 17 juni", "Straße des 17. Juni 135, 10623 Berlin", "[Straße des 17]. [Juni] 135, 10623 Berlin"],
    ["東京", "東京都千代田区", "[東京]都千代田区"],
    ["mün", "München, Germany", "[Mün]chen, Germany"],
    ["zzz", "Brooklyn, NY USA", "Brooklyn, NY USA"],
    ["👍🏽 jay", "👍🏽 Jay", "👍🏽 [Jay]"],
    ["", "Brooklyn", "Brooklyn"],
  ])("%j in %j", (query, label, expected) => {
    expect(shown(query, label)).toBe(expected);
  });

  it("in forward geocoding a beginning of a word is not the word", () => {
    expect(shown("broo", "Brooklyn, NY", false)).toBe("Brooklyn, NY");
  });
});

describe("an address in fields", () => {
  it("becomes a text in which no two fields run together, and says what is looked for", () => {
    const whole = { number: "20", street: "Jay St", city: "Brooklyn", state: "NY", postalCode: "11201" };
    expect(textOf(whole)).toBe("20 Jay St, Brooklyn, NY 11201");
    expect(textOf({ postalCode: "11201" })).toBe("11201");
    expect([...layersOf({ city: "Salem", state: "OR" })]).toEqual(["locality", "county"]);
    expect([...layersOf({ postalCode: "11201" })]).toEqual(["postalCode"]);
    expect(layersOf(whole).has("address")).toBe(true);
  });
});
