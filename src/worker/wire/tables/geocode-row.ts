import type { WireAddress } from "../address.ts";
import { csvRow } from "./write-csv.ts";

/** Rows of batches and jobs: the request of each, and the columns of its result in a file. */

export const ROW_KINDS = ["forward", "reverse", "validate"] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** The result of one row: the response, or why there is none. */
export type RowAnswer<Validated = object> =
  | ({ status: "ok"; addresses?: WireAddress[] } & Partial<Validated>)
  | { status: "failed"; code: number; param?: string; message: string };

/** Parameters that a column of a file may contain, by kind of request. */
export const ROW_FIELDS: Readonly<Record<RowKind, readonly string[]>> = {
  forward: ["query", "number", "street", "city", "postalCode", "state", "countryCode", "near"],
  reverse: ["coordinates", "latitude", "longitude"],
  validate: ["addressLabel", "number", "street", "unit", "city", "stateCode", "postalCode", "countryCode"],
};

/** Other common names of columns, in lower case without spaces or punctuation. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  query: ["address", "fulladdress", "adresse", "direccion", "indirizzo", "endereco", "adres"],
  number: ["housenumber", "hausnummer", "streetnumber", "numero", "nr"],
  street: ["streetname", "road", "strasse", "straße", "rue", "calle", "via", "rua", "straat"],
  addressLabel: ["address", "address1", "addressline1", "street1"],
  unit: ["apartment", "suite", "address2", "addressline2"],
  city: ["town", "locality", "ort", "stadt", "ville", "ciudad", "citta", "cidade", "plaats"],
  postalCode: ["zip", "zipcode", "postcode", "postal", "plz", "codepostal", "codigopostal", "cap", "cep"],
  state: ["statecode", "province", "region", "bundesland"],
  stateCode: ["state", "province"],
  countryCode: ["country", "land", "pays", "pais"],
  latitude: ["lat", "y"],
  longitude: ["lon", "lng", "long", "x"],
  coordinates: ["coordinate", "latlng", "latlon", "position"],
};

/** The columns, by number, of each parameter; several are joined with commas. */
export type Mapping = Readonly<Record<string, readonly number[]>>;

const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, "");

/** The columns that clearly are a parameter, by their names. */
export function guessColumns(kind: RowKind, names: readonly string[]): Mapping {
  const out: Record<string, number[]> = {};
  const taken = new Set<number>();
  const take = (field: string, fits: (name: string) => boolean) => {
    const at = names.findIndex((name, i) => !taken.has(i) && fits(plain(name)));
    if (out[field] || at < 0) return;
    out[field] = [at];
    taken.add(at);
  };
  for (const field of ROW_FIELDS[kind]) take(field, (name) => name === field.toLowerCase());
  for (const field of ROW_FIELDS[kind]) take(field, (name) => ALIASES[field]?.includes(name) ?? false);
  // A complete address and its parts exclude each other: with a street the parts are more precise.
  if (out.query && out.street) delete out.query;
  else if (out.query)
    for (const field of ["number", "city", "postalCode", "state"]) out.query.push(...(out[field] ?? []));
  if (out.query) for (const field of ["number", "city", "postalCode", "state"]) delete out[field];
  return out;
}

/** A row's cells as parameters; empty ones are absent. */
export function fieldsOfRow(
  cells: readonly string[],
  mapping: Mapping,
  fixed: Readonly<Record<string, string>>,
): Record<string, string> {
  const fields: Record<string, string> = { ...fixed };
  for (const [field, columns] of Object.entries(mapping)) {
    const text = columns
      .map((at) => (cells[at] ?? "").trim())
      .filter((cell) => cell !== "")
      .join(", ");
    if (text !== "") fields[field] = text;
  }
  return fields;
}

const ADDRESS = [
  ...["layer", "confidence", "latitude", "longitude", "formattedAddress", "number", "street", "unit", "city"],
  ...["postalCode", "county", "state", "stateCode", "countryCode", "distance", "id"],
] as const;
const VALIDATED = [
  ...["addressLabel", "number", "street", "unit", "city", "stateCode", "postalCode", "plus4", "county"],
  ...["countryCode", "formattedAddress"],
] as const;
const VERDICT = ["verificationStatus", "analysis", "corrections"] as const;

/** The columns that a job adds to those of its file. */
export function resultColumns(kind: RowKind): string[] {
  const own = kind === "validate" ? [...VERDICT, ...VALIDATED] : ADDRESS;
  return ["status", ...own, "message"].map((name) => `result_${name}`);
}

/** A row of the result: its own cells, and those of the response. */
export function resultRow(kind: RowKind, cells: readonly string[], width: number, answer: RowAnswer): string {
  const own = Array.from({ length: width }, (_, i) => cells[i] ?? "");
  const blank = resultColumns(kind)
    .slice(2)
    .map(() => "");
  if (answer.status === "failed") return csvRow([...own, "failed", ...blank, answer.message]);
  const { addresses, address, result } = answer as {
    addresses?: Record<string, unknown>[];
    address?: Record<string, unknown>;
    result?: Record<string, unknown>;
  };
  if (kind === "validate") {
    const verdict = VERDICT.map((name) => {
      const value = result?.[name];
      return Array.isArray(value) ? value.join(" ") : value;
    });
    return csvRow([...own, "ok", ...verdict, ...VALIDATED.map((name) => address?.[name]), ""]);
  }
  const [first] = addresses ?? [];
  if (!first) return csvRow([...own, "none", ...blank, ""]);
  return csvRow([...own, "ok", ...ADDRESS.map((name) => first[name]), ""]);
}
