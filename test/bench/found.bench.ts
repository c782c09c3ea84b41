import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AddressIndex } from "../../src/core/geocoding/index/address-index.ts";
import type { Found } from "../../src/core/geocoding/search/found.ts";
import { LAYERS, type SearchOptions } from "../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../src/core/geocoding/search/search-in-turns.ts";
import { tokensOf } from "../../src/core/geocoding/words/normalise.ts";
import { isSameStreet } from "../../src/core/geocoding/words/same-street.ts";
import { countryName } from "../../src/core/regions/region.ts";
import { worldCities } from "../../src/importer/world/cities.ts";
import { airportsWithService } from "../../src/importer/world/lists.ts";
import {
  type Asked,
  everyEntry,
  houseAsked,
  isUnseen,
  junctionsOf,
  MISTAKES,
  mistake,
  placeAsked,
  type Sampled,
} from "../core/geocoding/asked.ts";
import { around, full } from "../core/geocoding/cases.ts";
import { buildAddresses, worldBase } from "../core/geocoding/index/demo-index.ts";
import { randomFrom, type SampledHouse, sampleHouses } from "../core/geocoding/sample.ts";
import { EXTRACTS } from "../core/regions/extract-harness.ts";
import type { Report } from "./bench.ts";
import { percentile } from "./support/percentile.ts";

export const name = "found";
export const summary =
  "What is found as people write it, in extracts beside the world base: mistakes, places, towns, junctions.";

const PLACES: SearchOptions["layers"] = new Set(["place"]);
const OPTIONS = { layers: new Set(LAYERS), limit: 10, language: "en" as const };

interface Sum {
  asked: number;
  first: number;
  five: number;
  wrong: number;
  times: number[];
}

/** Words: extracts; `unseen` for the other half, `world`, `show` for what is missed, `only=junctions`. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const cities = words.filter((word) => existsSync(join(EXTRACTS, `${word}.osm.pbf`)));
  const half = words.includes("unseen");
  const show = words.includes("show");
  const world = await worldBase();
  const only = words.find((word) => word.startsWith("only="))?.slice(5) ?? "";
  const asking = async (label: string, indexes: readonly AddressIndex[], asked: readonly Asked[], most = 300) => {
    if (!label.includes(only)) return;
    const sum: Sum = { asked: 0, first: 0, five: 0, wrong: 0, times: [] };
    for (const one of asked.filter(({ text }) => isUnseen(text) === half).slice(0, most))
      await ask(one, indexes, sum, show, label);
    if (sum.asked === 0) return;
    const share = (count: number) => (100 * count) / sum.asked;
    report({ case: label, metric: `first of ${sum.asked}`, value: share(sum.first), unit: "%" });
    report({ case: label, metric: "in five", value: share(sum.five), unit: "%" });
    if (sum.wrong > 0) report({ case: label, metric: "wrong and exact", value: sum.wrong, unit: "" });
    report({ case: label, metric: "p50", value: percentile(sum.times, 0.5), unit: "ms" });
  };
  for (const city of cities) {
    const { index } = await buildAddresses([join(EXTRACTS, `${city}.osm.pbf`)]);
    const indexes = [index, world.index];
    const houses = (await sampleHouses(index, 600, 2026)).filter(
      // Some have a name where the number belongs: "Rose Cottage".
      ({ city: town, number }) => town !== "" && /\d/.test(number),
    );
    const entries = await everyEntry(index);
    await asking(
      `${city}: whole address`,
      indexes,
      houses.map((house) => houseAsked(house, full(house))),
    );
    for (const [kind, make] of Object.entries(MISTAKES)) {
      const draw = randomFrom(7);
      const asked = houses.flatMap((house) => {
        const made = mistake(house.street, make, draw);
        return made ? [houseAsked(house, full({ ...house, street: made.text }), made.wrong)] : [];
      });
      await asking(`${city}: ${kind}`, indexes, asked, 200);
    }
    for (const [kind, asked] of Object.entries(placesAsked(entries))) await asking(`${city}: ${kind}`, indexes, asked);
    for (const [kind, asked] of Object.entries(townsAsked(houses, entries)))
      await asking(`${city}: ${kind}`, indexes, asked);
    await asking(`${city}: junctions`, indexes, await junctionsOf(index, 600, 3));
    const streets = entries.filter(({ kind }) => kind === "street");
    const draw = randomFrom(19);
    const misspelt = streets.flatMap((one) => {
      const kinds = Object.values(MISTAKES);
      const made = mistake(one.name, kinds[Math.floor(draw() * kinds.length)], draw);
      // Malta's streets have two names, and the English one is shown.
      const names = [one.name, ...one.others];
      const is = (found: Found) => names.some((own) => isSameStreet(found.name, own));
      return made ? [{ text: `${made.text}, ${one.city}`, wrong: made.wrong, is }] : [];
    });
    await asking(`${city}: misspelt streets`, indexes, shuffled(misspelt), 600);
  }
  if (words.includes("world"))
    for (const [kind, asked] of Object.entries(worldAsked()))
      await asking(`world: ${kind}`, [world.index], asked, 1000);
}

async function ask(asked: Asked, indexes: readonly AddressIndex[], sum: Sum, show: boolean, label: string) {
  const began = performance.now();
  const found = await searchInTurns([indexes], asked.text, {
    ...OPTIONS,
    near: asked.near,
    open: asked.open ?? false,
    ...(asked.places && { layers: PLACES }),
  });
  sum.times.push(performance.now() - began);
  sum.asked++;
  const at = found.findIndex(asked.is);
  if (at === 0) sum.first++;
  if (at >= 0 && at < 5) sum.five++;
  const wrong = asked.wrong !== undefined && found.some((one) => one.confidence === "exact" && !has(one, asked.wrong!));
  if (wrong) sum.wrong++;
  if (show && (at !== 0 || wrong))
    console.log(
      label,
      "|",
      asked.text,
      wrong ? "WRONG EXACT" : "",
      "→",
      found
        .slice(0, 3)
        .map(
          (one) =>
            `${one.number ?? ""} ${one.name} (${one.context.city}) ${one.kind} ${one.confidence} ${one.score.toFixed(2)}`,
        )
        .join(" ; "),
    );
}

/** What airports are called by: a mistake in a name of three letters is often the code of one. */
const CODES = new Map(airportsWithService().map(({ iata, name }) => [iata.toLowerCase(), name]));

/** Is the word one of the answer's own? */
function has({ name, context, postalCode }: Found, word: string): boolean {
  if (CODES.get(word) === name) return true;
  const own = [
    name,
    context.city,
    context.borough,
    context.county,
    context.state,
    postalCode,
    countryName(context.countryCode),
  ];
  return own.some((text) => tokensOf(text).includes(word));
}

function placesAsked(entries: readonly Sampled[]): Record<string, Asked[]> {
  const draw = randomFrom(5);
  const places = shuffled(entries.filter(({ kind, name }) => kind === "place" && name.length > 3));
  const near = (place: Sampled) => around({ at: place.at } as SampledHouse, draw);
  const begun = (one: Sampled) => one.name.slice(0, Math.ceil(one.name.length * 0.6));
  const misspelt = (one: Sampled) => {
    const kinds = Object.values(MISTAKES);
    return mistake(one.name, kinds[Math.floor(draw() * kinds.length)], draw);
  };
  const only = { places: true } as const;
  return {
    "layer place, near": places.map((one) => placeAsked(one, one.name, { near: near(one), ...only })),
    "layer place, typing": places.map((one) => placeAsked(one, begun(one), { near: near(one), open: true, ...only })),
    "layer place, a mistake": places.flatMap((one) => {
      const made = misspelt(one);
      return made ? [placeAsked(one, made.text, { near: near(one), wrong: made.wrong, ...only })] : [];
    }),
    "place, town": places.filter(({ city }) => city !== "").map((one) => placeAsked(one, `${one.name}, ${one.city}`)),
    "place, near": places.map((one) => placeAsked(one, one.name, { near: near(one) })),
    "place, near, typing": places.map((one) => placeAsked(one, begun(one), { near: near(one), open: true })),
    "place, near, a mistake": places.flatMap((one) => {
      const made = misspelt(one);
      return made ? [placeAsked(one, made.text, { near: near(one), wrong: made.wrong })] : [];
    }),
  };
}

/** Houses whose town is written as neither the address nor its sign has it. */
function townsAsked(houses: readonly SampledHouse[], entries: readonly Sampled[]): Record<string, Asked[]> {
  const asked: Asked[] = [];
  const odd: Asked[] = [];
  for (const house of houses) {
    const town = entries.find(({ kind, name }) => kind === "locality" && name === house.city);
    for (const other of town?.others.slice(0, 4) ?? [])
      asked.push(houseAsked(house, full({ ...house, city: other, postalCode: "" })));
    for (const end of ["am Neckar", "an der Pegnitz", "im Breisgau", "sur Mer"])
      odd.push(houseAsked(house, full({ ...house, city: `${house.city} ${end}`, postalCode: "" })));
    odd.push(houseAsked(house, full({ ...house, city: `${house.city} Xyzzyburg`, postalCode: "" })));
  }
  return { "town, another name": shuffled(asked), "town, with more": shuffled(odd) };
}

function worldAsked(): Record<string, Asked[]> {
  const draw = randomFrom(29);
  const cities = shuffled(worldCities().filter(({ population }) => population > 20_000));
  const is = (name: string, country: string) => (found: Found) =>
    found.kind === "locality" && found.name === name && found.context.countryCode === country;
  return {
    "city, country": cities.map(({ name: own, country }) => ({
      text: `${own}, ${countryName(country)}`,
      is: is(own, country),
    })),
    "a mistake, country": cities.flatMap(({ name: own, country }) => {
      const kinds = Object.values(MISTAKES);
      const made = mistake(own, kinds[Math.floor(draw() * kinds.length)], draw);
      return made ? [{ text: `${made.text}, ${countryName(country)}`, wrong: made.wrong, is: is(own, country) }] : [];
    }),
  };
}

function shuffled<T>(list: readonly T[]): T[] {
  const draw = randomFrom(41);
  const out = [...list];
  for (let i = 0; i < out.length; i++) {
    const other = i + Math.floor(draw() * (out.length - i));
    [out[i], out[other]] = [out[other], out[i]];
  }
  return out;
}
