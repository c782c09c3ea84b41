import { z } from "zod";
import { utf8Length } from "../../../core/geo/bytes/utf8-length.ts";
import { type Coordinate, parseCoordinate } from "../../../core/geo/coordinate.ts";
import { parseDecimal } from "../../../core/geo/decimal.ts";
import { MAX_METADATA_BYTES } from "../../../core/tracking/types/metadata.ts";
import { isWithinLimits, MAX_ITEMS } from "./input-limits.ts";

/**
 * The kinds of parameters, for query strings, forms and JSON: numbers and booleans may arrive as strings, lists
 * comma separated, dictionaries as JSON strings. Each field has its error message; `validate.ts` puts the
 * parameter's name in front.
 */
z.config({ jitless: true });

export const COORDINATE_RULE =
  'Expected "latitude,longitude" as decimal degrees with latitude in [-90, 90] and longitude in [-180, 180].';

/** Slightly more than half the Earth's circumference [m]: no distance or accuracy is larger. */
export const FARTHEST = 20_100_000;

/** A number in [min, max]. `above` is a lower bound that is not part of the range itself. */
export function number({
  min,
  max,
  above,
  integer,
}: {
  min?: number;
  max?: number;
  above?: number;
  integer?: boolean;
} = {}) {
  const low = above === undefined ? (min === undefined ? undefined : `[${min}`) : `(${above}`;
  const rule =
    low !== undefined && max !== undefined
      ? `Valid range: ${low}, ${max}].`
      : above !== undefined
        ? `Must be greater than ${above}.`
        : min !== undefined
          ? `Must be at least ${min}.`
          : integer
            ? "Must be an integer."
            : "Must be a number.";
  let schema = z.number({ error: rule });
  if (integer) schema = schema.int({ error: min !== undefined ? `${rule} Integers only.` : rule });
  if (min !== undefined) schema = schema.min(min, { error: rule });
  if (above !== undefined) schema = schema.gt(above, { error: rule });
  if (max !== undefined) schema = schema.max(max, { error: rule });
  return z.preprocess(textToNumber, schema);
}

/** "-12.5" → -12.5; other values are unchanged. */
export function textToNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const number = parseDecimal(value);
  return Number.isNaN(number) ? value : number;
}

/** true or false, also as strings. */
export function flag() {
  return z.preprocess(
    (value) => (value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : value),
    z.boolean({ error: "Valid values: true, false." }),
  );
}

/** How many rows a page of a list has (src/worker/db/page.ts); `usual` by default. */
export function pageLimit(usual: number) {
  return number({ min: 1, max: 1000, integer: true }).default(usual).meta({
    description:
      "A page never splits a millisecond, so that the time of its last row leads to the next page: it may have fewer rows while `meta.hasMore` is true, and more only if a single millisecond has more.",
  });
}

/** A string of 1 to `max` characters. A number becomes a string, because some clients send ids as numbers. */
export function text(max = 256) {
  const rule = `Must be a string of 1 to ${max} characters.`;
  return z.preprocess(
    (value) => (typeof value === "number" && Number.isFinite(value) ? String(value) : value),
    z.string({ error: rule }).min(1, { error: rule }).max(max, { error: rule }),
  );
}

/** The message of a missing value: validate.ts turns it into "query: Required." */
export const REQUIRED = "Required.";

/** A string to search for or to compare with data. A string of spaces is treated as missing, because it cannot match anything. */
export function searchText(max = 256) {
  return text(max).refine(isNotBlank, { error: REQUIRED });
}

/** Like `searchText`, but an empty string or spaces are treated as absent. */
export function optionalSearchText(max = 256) {
  const ifBlank = (value: unknown) => (typeof value === "string" && !isNotBlank(value) ? undefined : value);
  return z.preprocess(ifBlank, text(max).optional()).optional();
}

const isNotBlank = (value: string) => value.trim() !== "";

/** Like `text`, but an empty string is treated as absent, because forms send blank fields. */
export function optionalText(max = 256) {
  return unlessBlank(text(max));
}

function unlessBlank<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === "" ? undefined : value), schema.optional()).optional();
}

/** A string that can be a path segment. Not "." and "..": clients turn "/a/.." into "/" before they send it. */
export function pathText() {
  return text().refine((value) => value !== "." && value !== "..", {
    error: 'Must be a string of 1 to 256 characters, neither "." nor "..".',
  });
}

export function optionalPathText() {
  return unlessBlank(pathText());
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `Valid values: ${values.join(", ")}.` });
}

/** Comma-separated strings, surrounding spaces ignored; or a JSON array. */
export function list({ max = 100 }: { max?: number } = {}) {
  const rule = `Must be a comma-separated list of at most ${max} values.`;
  return z.preprocess(
    splitList,
    z
      .array(z.string({ error: rule }).max(256, { error: rule }), { error: rule })
      .min(1, { error: rule })
      .max(max, { error: rule }),
  );
}

/** Comma-separated values of a fixed set. */
export function listOf<const T extends readonly [string, ...string[]]>(values: T) {
  const rule = `Valid values: ${values.join(", ")}.`;
  return z.preprocess(splitList, z.array(z.enum(values, { error: rule }), { error: rule }).min(1, { error: rule }));
}

/** An optional list; an empty one (`tags=`) is treated as absent. */
export function optionalList(options: { max?: number } = {}) {
  return unlessEmpty(list(options));
}

export function optionalListOf<const T extends readonly [string, ...string[]]>(values: T) {
  return unlessEmpty(listOf(values));
}

function unlessEmpty<T extends z.ZodType>(schema: T) {
  const isEmpty = (value: unknown) => typeof value === "string" && /^[\s,]*$/.test(value);
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional()).optional();
}

function splitList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parts = value.split(",", MAX_ITEMS + 1);
  if (parts.length > MAX_ITEMS) return value;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** "latitude,longitude" → Coordinate. */
export function coordinate() {
  return z
    .string({ error: COORDINATE_RULE })
    .transform((value, context): Coordinate => {
      const point = parseCoordinate(value);
      if (point) return point;
      context.addIssue({ code: "custom", message: COORDINATE_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", format: "latitude,longitude", example: "40.7039,-73.9867" });
}

const DATETIME_RULE = "Expected an ISO 8601 datetime such as 2026-01-31T09:30:00.000Z.";
const DATETIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The years that ISO 8601 writes with four digits, in UTC. Clients do not read the form of other years.
 */
const FIRST_YEAR = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_YEAR = Date.parse("9999-12-31T23:59:59.999Z");
/** How far in the future the time of an event or an arrival may be [ms]. */
export const YEAR_MS = 366 * 24 * 3600 * 1000;

/**
 * ISO 8601 → milliseconds since 1970. UTC if there is no offset. For filters, and for end times, which may be years
 * ahead.
 */
export function datetime() {
  return timeField(DATETIME_RULE, () => [FIRST_YEAR, LAST_YEAR]);
}

/**
 * The time of something that is stored: from 1970 to a year from now. Other times come from a wrong clock or unit.
 */
export function moment() {
  return timeField(`${DATETIME_RULE} Not before 1970, nor more than a year from now.`, () => [0, Date.now() + YEAR_MS]);
}

function timeField(rule: string, range: () => readonly [earliest: number, latest: number]) {
  return z
    .string({ error: rule })
    .transform((value, context): number => {
      const trimmed = value.trim();
      const zoned = trimmed.length > 10 && !/(Z|[+-]\d{2}:?\d{2})$/.test(trimmed) ? `${trimmed}Z` : trimmed;
      const time = DATETIME.test(trimmed) && isDay(trimmed.slice(0, 10)) ? Date.parse(zoned) : Number.NaN;
      const [earliest, latest] = range();
      if (time >= earliest && time <= latest) return time;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .meta({ type: "string", format: "date-time" });
}

/** Whether the day exists. Date.parse would read "2026-02-30" as March 2. */
function isDay(text: string): boolean {
  const midnight = Date.parse(text);
  return Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(text);
}

export type Metadata = Record<string, string | number | boolean>;

const METADATA_RULE = `Must have at most ${MAX_METADATA_BYTES} bytes as JSON.`;

/**
 * Key-value pairs of strings, numbers and booleans; at most `maxKeys`. May be a JSON string; null values are treated as absent.
 */
export function dictionary(maxKeys: number) {
  const rule = `Must be a dictionary of up to ${maxKeys} keys with string, boolean or number values.`;
  const value = z.union(
    [z.string().max(4096, { error: "Strings may have up to 4096 characters." }), z.number(), z.boolean()],
    {
      error: "Values must be strings, booleans or numbers.",
    },
  );
  return z
    .preprocess(
      (given, context) => safeKeys(jsonText(given), context),
      z.record(z.string(), value.nullable(), { error: rule }),
    )
    .transform((record, context): Metadata => {
      const out: Metadata = {};
      let keys = 0;
      for (const [key, entry] of Object.entries(record)) {
        if (key === "" || key.length > 256) {
          context.addIssue({
            code: "custom",
            message: "Keys must have 1 to 256 characters.",
          });
          return z.NEVER;
        }
        if (entry === null) continue;
        out[key] = entry;
        keys++;
      }
      const isTooLarge = utf8Length(JSON.stringify(out)) > MAX_METADATA_BYTES;
      if (keys <= maxKeys && !isTooLarge) return out;
      context.addIssue({ code: "custom", message: keys <= maxKeys ? METADATA_RULE : rule });
      return z.NEVER;
    })
    .meta({
      type: "object",
      description: `at most ${MAX_METADATA_BYTES / 1024} kB as JSON`,
      maxProperties: maxKeys,
      additionalProperties: { type: ["string", "number", "boolean"] },
    });
}

/** A structured value that a form sends as a JSON string. */
export function json<T extends z.ZodType>(schema: T) {
  return z.preprocess(jsonText, schema);
}

function jsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isWithinLimits(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

/**
 * `metadata[key]=value` filters of a query: key → value with its type inferred. Anything else is ignored, because the
 * JavaScript SDK sends the string "[object Object]".
 */
export function metadataFilter() {
  return z
    .preprocess(
      (value, context) => (isDictionary(value) ? safeKeys(value, context) : undefined),
      z.record(z.string(), z.string()).optional(),
    )
    .transform((record): Metadata | undefined => {
      if (!record) return undefined;
      const filter: Metadata = {};
      for (const [key, value] of Object.entries(record)) filter[key] = inferType(value);
      return Object.keys(filter).length > 0 ? filter : undefined;
    })
    .optional()
    .meta({
      type: "object",
      additionalProperties: { type: "string" },
      description: "metadata[key]=value; the value's type is inferred",
    });
}

/** A key that would replace the prototype of an object. */
export const PROTOTYPE = "__proto__";
export const PROTOTYPE_RULE = `A key cannot be ${PROTOTYPE}.`;

/** zod drops the key without an error. */
function safeKeys(value: unknown, context: z.RefinementCtx): unknown {
  if (!isDictionary(value) || !Object.hasOwn(value, PROTOTYPE)) return value;
  context.addIssue({ code: "custom", message: PROTOTYPE_RULE, path: [PROTOTYPE] });
  return z.NEVER;
}

function isDictionary(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Maximum length of a number that survives a round trip, without trailing zeros. */
const MAX_NUMBER_LENGTH = 64;

/**
 * "true" → true, "12.5" → 12.5, "5.0" → 5, "abc" → "abc". A string that a number would not reproduce stays a string,
 * because it may be an id: "007", or very many digits.
 */
export function inferType(value: string): string | number | boolean {
  if (value === "true") return true;
  if (value === "false") return false;
  if (!/^-?\d+(\.\d+)?$/.test(value)) return value;
  if (value.length > MAX_NUMBER_LENGTH) return value;
  const shortest = value.includes(".") ? value.replace(/\.?0+$/, "") : value;
  return String(Number(value)) === shortest ? Number(value) : value;
}
