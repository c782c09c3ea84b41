import type { Graticule } from "../../index.ts";

/** What a configuration file can contain: a kind is an entry of the table in kinds.ts. */

export type Values = Record<string, unknown>;

/** An item as the server has it. */
export interface Stored {
  /** As the file states it. */
  item: Values;
  id?: string;
}

/** The value of a secret by the name of its environment variable. */
export type Secrets = (variable: string) => string;

export interface Write {
  item: Values;
  /** Absent: the item is new. */
  before?: Stored;
  secrets: Secrets;
  /** Secrets that the server has are sent again. */
  updateSecrets: boolean;
}

export interface Kind {
  /** Its name in the file. */
  name: string;
  /** The fields of an item, in the order of the file. Absent: any, as the server accepts them. */
  fields?: readonly string[];
  /** What identifies an item in messages and in the file; undefined: the file cannot contain it. */
  keyOf(item: Values): string | undefined;
  /** How an item gets a key, for the message about those without. */
  keyRule: string;
  list(client: Graticule): Promise<Stored[]>;
  /** The values that decide whether an item has changed: with defaults, and without what the server does not return. */
  comparable(item: Values): Values;
  /** @returns the item as it is stored then */
  write(client: Graticule, write: Write): Promise<Values>;
  remove(client: Graticule, stored: Stored): Promise<void>;
  /** Environment variables with the secrets that a write would send. */
  variablesOf?(write: Omit<Write, "secrets">): string[];
  /** Adds names of variables to what was pulled: those of the previous file, or suggestions. */
  nameVariables?(item: Values, previous: Values | undefined): Values;
}

/** The specified fields, without undefined ones, in this order. */
export function pick(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(
    fields.filter((name) => values[name] !== undefined && values[name] !== null).map((name) => [name, values[name]]),
  );
}

export const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON in which equal values have equal text: the keys of objects are sorted. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "undefined";
}

export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** "MQTT broker" + "headers.authorization" → WEBHOOK_MQTT_BROKER_AUTHORIZATION. */
export function suggestVariable(...words: readonly string[]): string {
  return words
    .join(" ")
    .toUpperCase()
    .split(/[^A-Z0-9]/)
    .filter((word) => word !== "")
    .join("_");
}

/** @throws unless it is a dictionary of names of variables */
export function variableNames(value: unknown, where: string): Record<string, string> {
  if (value === undefined) return {};
  const isNames = isObject(value) && Object.values(value).every((name) => typeof name === "string" && name !== "");
  if (!isNames) throw new Error(`${where} must have the names of environment variables.`);
  return value as Record<string, string>;
}
