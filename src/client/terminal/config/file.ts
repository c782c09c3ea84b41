import { isObject, type Kind, pick, sorted, type Values } from "./kind.ts";
import { KINDS } from "./kinds.ts";

/** The file: a version, and a section per kind. A kind without a section is not managed. */

const VERSION = 1;

/** Items by the name of their kind; settings are one item. */
export type Sections = ReadonlyMap<Kind, readonly Values[]>;

/** @throws with the place of the first mistake */
export function parseFile(text: string, name: string): Sections {
  const file = toJson(text, name);
  if (!isObject(file)) throw new Error(`${name} must have a JSON object.`);
  const { version, ...sections } = file;
  if (version !== VERSION) throw new Error(`${name} must have "version": ${VERSION}.`);
  const unknown = Object.keys(sections).find((section) => !KINDS.some((kind) => kind.name === section));
  if (unknown !== undefined)
    throw new Error(
      `${name} has an unknown section "${unknown}". Sections: ${KINDS.map((kind) => kind.name).join(", ")}.`,
    );
  return new Map(
    KINDS.filter((kind) => sections[kind.name] !== undefined).map((kind) => [kind, itemsOf(kind, sections[kind.name])]),
  );
}

function toJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message}.`);
  }
}

function itemsOf(kind: Kind, section: unknown): Values[] {
  if (isSingle(kind)) {
    if (!isObject(section)) throw new Error(`${kind.name} must be an object.`);
    return [section];
  }
  if (!Array.isArray(section)) throw new Error(`${kind.name} must be a list.`);
  const keys = new Set<string>();
  for (const [i, item] of section.entries()) {
    const where = `${kind.name}[${i}]`;
    if (!isObject(item)) throw new Error(`${where} must be an object.`);
    const unknown = Object.keys(item).find((field) => kind.fields && !kind.fields.includes(field));
    if (unknown !== undefined)
      throw new Error(`${where} has an unknown field "${unknown}". Fields: ${kind.fields?.join(", ")}.`);
    const key = kind.keyOf(item);
    if (key === undefined) throw new Error(`${where} has no key. ${kind.keyRule}`);
    if (keys.has(key)) throw new Error(`${where} has the same key as another item: ${key}.`);
    keys.add(key);
  }
  return section;
}

export const isSingle = ({ name }: Kind) => name === "settings";

/** The same items in the same order always give the same text. */
export function formatFile(sections: Sections): string {
  const entries = [...sections].map(([kind, items]) => {
    const ordered = [...items]
      .sort((a, b) => compare(kind.keyOf(a), kind.keyOf(b)))
      .map((item) => sortedInside(kind.fields ? pick(item, kind.fields) : (sorted(item) as Values)));
    return [kind.name, isSingle(kind) ? ordered[0] : ordered];
  });
  return `${JSON.stringify({ version: VERSION, ...Object.fromEntries(entries) }, null, 2)}\n`;
}

const sortedInside = (item: Values) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, sorted(value)]));

export function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
