import { OVERTURE_CATEGORIES } from "../../../src/core/places/overture-categories.ts";
import type { Place } from "../../../src/core/places/place.ts";
import { random } from "../../../src/demo/world/random.ts";
import type { PlaceRow } from "../../importer/sources/overture/overture-files.ts";

/**
 * A labeled town: the places of a real extract are the truth, and rows as Overture has them are made from it. Shares and errors are
 * assumptions (Overture publishes no labels): most places again, with other spellings and points; some twice; new ones that the extract
 * lacks; junk, of which a part has a high confidence and cannot be told from the rest.
 */
export interface LabeledRow {
  row: PlaceRow & { id: string };
  /** The place of the extract that it is, or a name for a new one; undefined for junk. */
  truth: string | undefined;
}

const SHARES = { again: 0.7, twice: 0.15, fresh: 0.35, near: 0.1, junk: 0.3 } as const;
/** Of junk: closed, of low confidence, without a name, services without a place, and some of which nothing tells it. */
const JUNK = [
  "closed",
  "closed",
  "closed",
  "doubtful",
  "doubtful",
  "doubtful",
  "doubtful",
  "nameless",
  "service",
  "hidden",
] as const;

const FIRST =
  "Alt Blau Corona Delfin Eden Falk Gusto Horizont Iris Jade Kranich Lotus Mosaik Nova Orion Perle Quelle Rubin Sonnen Tulpe".split(
    " ",
  );
const LAST = "Garten Haus Stube Werk Hof Eck Laden Raum Punkt Lounge Atelier Kontor Galerie Palast Tor Quartier".split(
  " ",
);
const KINDS = ["Restaurant", "Shop", "GmbH", "Café", "Hotel"];

const SOURCES = [{ dataset: "meta" }];

export function labeledTown(places: readonly Place[], seed: string): LabeledRow[] {
  const draw = random("overture town", seed);
  const rows: LabeledRow[] = [];
  const isOften = (share: number) => draw.between(0, 1) < share;
  const moved = ({ latitude, longitude }: { latitude: number; longitude: number }, most: number) => {
    const [north, east] = [draw.between(-most, most), draw.between(-most, most)].map((metres) => metres / Math.SQRT2);
    return {
      latitude: latitude + north / 111_195,
      longitude: longitude + east / (111_195 * Math.cos((latitude * Math.PI) / 180)),
    };
  };
  const add = (
    truth: string | undefined,
    name: string,
    at: { latitude: number; longitude: number },
    more: Partial<PlaceRow> = {},
  ) => {
    const row = {
      id: `${seed}-${rows.length}`,
      ...at,
      names: { primary: name },
      confidence: draw.between(0.6, 1),
      sources: SOURCES,
      ...more,
    };
    rows.push({ row: row as LabeledRow["row"], truth });
  };
  for (const place of places) {
    const hierarchy = hierarchyOf(place.categories);
    if (isOften(SHARES.again)) {
      const copies = isOften(SHARES.twice) ? 2 : 1;
      for (let i = 0; i < copies; i++)
        add(place.id, spelled(place.name, draw), moved(place.location, 45), { hierarchy });
    }
    if (isOften(SHARES.fresh)) {
      const name = freshName(draw);
      const at = moved(place.location, 400);
      const truth = `new ${rows.length}`;
      add(truth, name, at, { hierarchy });
      if (isOften(SHARES.twice)) add(truth, spelled(name, draw), moved(at, 30), { hierarchy });
    }
    if (isOften(SHARES.near)) add(`near ${rows.length}`, freshName(draw), moved(place.location, 30), { hierarchy });
    if (isOften(SHARES.junk)) {
      const kind = draw.pick(JUNK);
      const name = kind === "nameless" ? "1234567" : freshName(draw);
      add(undefined, name, moved(place.location, 400), {
        hierarchy: kind === "service" ? ["services_and_business", "home_service", "plumbing"] : hierarchy,
        ...(kind === "closed" && { operating_status: "permanently_closed", confidence: 0 }),
        ...(kind === "doubtful" && { confidence: draw.between(0.05, 0.6) }),
      });
    }
  }
  return rows;
}

const freshName = (draw: ReturnType<typeof random>) =>
  `${draw.pick(FIRST)}${draw.pick(LAST).toLowerCase()} ${draw.pick(FIRST)} ${draw.pick(KINDS)}`;

/** As another source writes a name. */
function spelled(name: string, draw: ReturnType<typeof random>): string {
  const way = draw.between(0, 1);
  if (way < 0.45) return name;
  if (way < 0.55) return name.toUpperCase();
  if (way < 0.65) return name.normalize("NFKD").replace(/\p{M}/gu, "");
  if (way < 0.75) return `${name} ${draw.pick(KINDS)}`;
  if (way < 0.8) return `${name} - Heidelberg`;
  if (way < 0.88 && name.includes(" "))
    return name.replace(/^(?:Café|Cafe|Hotel|Restaurant|Gasthaus|Apotheke|Bäckerei) /, "");
  // A letter is missing.
  const at = Math.floor(draw.between(1, Math.max(2, name.length - 1)));
  return name.slice(0, at) + name.slice(at + 1);
}

function hierarchyOf(categories: readonly string[]): string[] {
  const slug = categories.at(-1) ?? "";
  const [, names = ["shopping"]] = OVERTURE_CATEGORIES.find(([own]) => own === slug) ?? [];
  return [names[0]];
}
