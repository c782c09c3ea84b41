import { describe, expect, it } from "vitest";
import { rowsWithSlugs } from "../../src/places/categories.ts";
import { readCategory } from "../../src/places/category-words.ts";

describe("words for kinds of places", () => {
  it.each([
    ["coffee near Union Square", "coffee-shop", "Union Square"],
    ["coffee shops in Brooklyn, NY", "coffee-shop", "Brooklyn, NY"],
    ["pharmacy", "pharmacy", ""],
    ["Pharmacy near me", "pharmacy", ""],
    ["Apotheke in Heidelberg", "pharmacy", "Heidelberg"],
    ["Bäckerei in der Nähe von Köln", "bakery", "Köln"],
    ["pharmacie près de Place Bellecour", "pharmacy", "Place Bellecour"],
    ["farmacia cerca de mí", "pharmacy", ""],
    ["gasolinera en Madrid", "gas-station", "Madrid"],
    ["padaria perto de Praça da Sé", "bakery", "Praça da Sé"],
    ["farmacia vicino a Piazza Navona", "pharmacy", "Piazza Navona"],
    ["apotheek bij Utrecht Centraal", "pharmacy", "Utrecht Centraal"],
    ["apteka w Krakowie", "pharmacy", "Krakowie"],
    ["lékárna v Brně", "pharmacy", "Brně"],
    ["apotek i Malmö", "pharmacy", "Malmö"],
    ["bager i Odense", undefined, undefined],
    ["sykehus i Bergen", "hospital", "Bergen"],
    ["eczane", "pharmacy", ""],
    ["аптека рядом с Красной площадью", "pharmacy", "Красной площадью"],
    ["صيدلية في دبي", "pharmacy", "دبي"],
    ["東京駅の近くのカフェ", "coffee-shop", "東京駅"],
    ["天安门附近的咖啡馆", "coffee-shop", "天安门"],
    ["강남역 근처 카페", "coffee-shop", "강남역"],
    ["コンビニ", "convenience-store", ""],
  ])("%s", (text, slug, reference) => {
    const read = readCategory(text);
    expect([read?.slugs[0], read?.reference, read?.sure]).toEqual([slug, reference, slug && true]);
  });

  it.each([
    "Park Street",
    "School Lane 5",
    "Church St, Salem",
    "Hotel California",
    "Heidelberg Apotheke",
    "pizza new york",
  ])("%s may be a name as well", (text) => {
    expect(readCategory(text)?.sure).toBe(false);
  });

  it.each(["20 Jay St", "Bankstraße 5", "Barcelona", "New York", "", "Postgasse", "Restaurantgasse 3"])(
    "%s names none",
    (text) => {
      expect(readCategory(text)).toBeUndefined();
    },
  );

  it("every slug is one that places have", () => {
    const words = [
      "coffee",
      "bar",
      "doctor",
      "hotel",
      "museum",
      "gas",
      "metro",
      "beach",
      "zoo",
      "mall",
      "pool",
      "university",
      "theatre",
      "gym",
    ];
    for (const word of words)
      for (const slug of readCategory(word)!.slugs)
        expect([slug, rowsWithSlugs([slug]).size > 0]).toEqual([slug, true]);
  });
});
