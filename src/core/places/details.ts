/**
 * OpenStreetMap details of a place besides its name, category and address, as mappers wrote them. Stored as
 * OpenStreetMap strings (at most 255 characters each); the order is part of the tile format.
 */
const DETAILS = [
  ["openingHours", ["opening_hours"]],
  ["phone", ["phone", "contact:phone", "contact:mobile"]],
  ["website", ["website", "contact:website", "url"]],
  ["email", ["email", "contact:email"]],
  ["wheelchair", ["wheelchair"]],
  ["cuisine", ["cuisine"]],
  ["brand", ["brand"]],
  ["wikidata", ["wikidata"]],
  ["brandWikidata", ["brand:wikidata"]],
] as const;

export type PlaceDetails = Partial<Record<(typeof DETAILS)[number][0], string>>;

const MAX_LENGTH = 255;

/** The details among an element's tags; undefined if there are none. */
export function detailsOf(tags: Readonly<Record<string, string>>): PlaceDetails | undefined {
  const out: PlaceDetails = {};
  for (const [name, keys] of DETAILS) {
    const value = keys.map((key) => tags[key]?.trim()).find((text) => text !== undefined && text !== "");
    if (value !== undefined) out[name] = value.slice(0, MAX_LENGTH);
  }
  return Object.keys(out).length > 0 ? out : undefined;
}

/** One line for each: its index in the list as a digit, then the text. */
export function detailsText(details: PlaceDetails | undefined): string {
  let text = "";
  if (!details) return text;
  for (let i = 0; i < DETAILS.length; i++) {
    const value = details[DETAILS[i][0]];
    if (value === undefined) continue;
    const line = /[\r\n]/.test(value) ? value.replace(/[\r\n]+/g, " ") : value;
    text += text === "" ? `${i}${line}` : `\n${i}${line}`;
  }
  return text;
}

export function readDetails(text: string): PlaceDetails | undefined {
  if (text === "") return undefined;
  const out: PlaceDetails = {};
  for (const line of text.split("\n")) {
    const known = DETAILS[Number(line[0])];
    if (known) out[known[0]] = line.slice(1);
  }
  return out;
}
