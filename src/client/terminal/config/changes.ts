import { compare, isSingle, type Sections } from "./file.ts";
import { canonical, isObject, type Kind, type Stored, type Values } from "./kind.ts";
import { settingsAfter } from "./settings.ts";

/** The difference between a file and a server. */

export interface Change {
  kind: Kind;
  key: string;
  action: "create" | "update" | "delete";
  /** As it will be; absent for a deletion. */
  item?: Values;
  before?: Stored;
  /** Fields that differ, by their paths. */
  fields: FieldChange[];
}

export interface FieldChange {
  path: string;
  from?: unknown;
  to?: unknown;
}

export interface Plan {
  /** In the order of writing: new and changed items, then deletions, those that refer to others first. */
  changes: Change[];
  unchanged: number;
  /** Items of the server that the file does not have, and that stay without `prune`. */
  kept: { kind: Kind; key: string }[];
  /** Items of the server without a key, by kind: a file cannot contain them. */
  keyless: { kind: Kind; count: number }[];
}

export interface PlanOptions {
  prune: boolean;
  /** Secrets that the server has are sent again: it does not return them, so that a change is not visible. */
  updateSecrets: boolean;
}

/** @throws if the server has several items with one key, or the file an unknown setting */
export function planOf(wanted: Sections, stored: ReadonlyMap<Kind, readonly Stored[]>, options: PlanOptions): Plan {
  const plan: Plan = { changes: [], unchanged: 0, kept: [], keyless: [] };
  const deletions: Change[] = [];
  for (const [kind, items] of wanted) {
    const { byKey, keyless } = keyed(kind, stored.get(kind) ?? []);
    if (keyless > 0) plan.keyless.push({ kind, count: keyless });
    for (const item of [...items].sort((a, b) => compare(kind.keyOf(a), kind.keyOf(b)))) {
      const key = kind.keyOf(item) ?? "";
      const before = byKey.get(key);
      byKey.delete(key);
      const change = changeOf(kind, key, item, before, options);
      if (change) plan.changes.push(change);
      else plan.unchanged++;
    }
    for (const [key, before] of [...byKey].sort(([a], [b]) => compare(a, b))) {
      if (options.prune) deletions.unshift({ kind, key, action: "delete", before, fields: [] });
      else plan.kept.push({ kind, key });
    }
  }
  plan.changes.push(...deletions);
  return plan;
}

/** Items by their keys. @throws if several have the same */
export function keyed(kind: Kind, stored: readonly Stored[]): { byKey: Map<string, Stored>; keyless: number } {
  const byKey = new Map<string, Stored>();
  let keyless = 0;
  for (const one of stored) {
    const key = kind.keyOf(one.item);
    if (key === undefined) keyless++;
    else if (byKey.has(key))
      throw new Error(`The server has several ${kind.name} with the key "${key}". ${kind.keyRule}`);
    else byKey.set(key, one);
  }
  return { byKey, keyless };
}

function changeOf(
  kind: Kind,
  key: string,
  wanted: Values,
  before: Stored | undefined,
  { prune, updateSecrets }: PlanOptions,
): Change | undefined {
  const item = isSingle(kind) ? settingsAfter(wanted, before?.item ?? {}, prune) : wanted;
  const after = kind.comparable(item);
  if (before === undefined) return { kind, key, action: "create", item, fields: fieldsOf({}, after) };
  const fields = fieldsOf(kind.comparable(before.item), after);
  if (updateSecrets)
    for (const variable of kind.variablesOf?.({ item, before, updateSecrets }) ?? [])
      fields.push({ path: "secrets", to: variable });
  return fields.length === 0 ? undefined : { kind, key, action: "update", item, before, fields };
}

/** The differences, at the deepest level at which both are objects. */
export function fieldsOf(from: Values, to: Values, prefix = ""): FieldChange[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) => {
    const [a, b] = [from[name], to[name]];
    if (canonical(a) === canonical(b)) return [];
    const path = `${prefix}${name}`;
    if (isObject(a) && isObject(b)) return fieldsOf(a, b, `${path}.`);
    return [{ path, ...(a !== undefined && { from: a }), ...(b !== undefined && { to: b }) }];
  });
}
