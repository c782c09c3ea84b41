import { distance } from "../../../core/geo/distance.ts";
import { type Highlighter, highlight, highlighterOf } from "../../../core/geocoding/label/highlight.ts";
import type { Found } from "../../../core/geocoding/search/search.ts";
import { sourceNameOf } from "../../../core/places/place.ts";
import type { Geodata } from "../../geodata/live.ts";
import { placeIdAt } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { type Located, type WireAddress, wireAddress } from "../../wire/address.ts";
import { searchWithAirports } from "./airports.ts";
import type { Asked } from "./asked.ts";

/** Results of the text search in wire format. */
export async function searched(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  const found = await searchWithAirports(geodata, text, asked);
  return wireAll(geodata, found, asked, highlighterOf(text, asked.open));
}

/** The location that a text names, as a result for a text with more words. */
export async function fallbackTo(
  geodata: Geodata,
  reference: Found,
  text: string,
  asked: Asked,
): Promise<WireAddress[]> {
  if (!asked.layers.has(reference.layer)) return [];
  return wireAll(geodata, [{ ...reference, confidence: "fallback" }], asked, highlighterOf(text, asked.open));
}

/** Airports of the world base data in wire format. */
export function wireAirports(geodata: Geodata, found: readonly Found[], asked: Asked): Promise<WireAddress[]> {
  return wireAll(geodata, found, asked, highlighterOf("", false));
}

/** Converts results to wire format, each with the regions around it. */
async function wireAll(
  geodata: Geodata,
  found: readonly Found[],
  { language, now }: Asked,
  highlighter: Highlighter,
): Promise<WireAddress[]> {
  const answers = await Promise.all(
    found.map(async (one) => {
      const located: Located = { ...one, street: one.kind === "street" };
      const regions = everyRegionAt(geodata, one.location);
      if (one.layer === "place") {
        located.id = (await placeIdAt(geodata, one.name, one.location)) ?? one.id;
        const source = located.id === undefined ? undefined : sourceNameOf(located.id);
        if (source !== undefined) located.sources = [source];
      }
      const address = wireAddress(located, await regions, language, now);
      return { ...address, matched: highlight(highlighter, address.formattedAddress) };
    }),
  );
  return answers.filter((one, i) => !answers.slice(0, i).some((other) => isSameLine(one, other)));
}

/** Nobody can tell two regions of one line apart, within 100 km: Paris and the department of Paris. */
const isSameLine = (one: WireAddress, other: WireAddress) =>
  one.layer !== "place" &&
  one.number === undefined &&
  one.formattedAddress === other.formattedAddress &&
  distance(one, other) < 100_000;
