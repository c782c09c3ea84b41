import type { Graticule } from "../../index.ts";
import { type Change, fieldsOf, type PlanOptions } from "./changes.ts";
import type { Kind, Secrets, Stored } from "./kind.ts";

/** Reading the server's items, and writing changes in their order. */

/** The items of these kinds. */
export async function readServer(client: Graticule, kinds: Iterable<Kind>): Promise<Map<Kind, Stored[]>> {
  const stored = new Map<Kind, Stored[]>();
  for (const kind of kinds) stored.set(kind, await kind.list(client));
  return stored;
}

/** The secrets of an environment. @throws that lists the variables which changes need and which are not set */
export function secretsFor(
  changes: readonly Change[],
  environment: Readonly<Record<string, string | undefined>>,
  { updateSecrets }: PlanOptions,
): Secrets {
  const needed = changes.flatMap(({ kind, item, before }) =>
    item === undefined ? [] : (kind.variablesOf?.({ item, ...(before && { before }), updateSecrets }) ?? []),
  );
  const missing = [...new Set(needed)].filter((name) => !environment[name]);
  if (missing.length > 0) throw new Error(`Set these environment variables: ${missing.join(", ")}.`);
  return (variable) => environment[variable] ?? "";
}

/** What an apply did. */
export interface Outcome {
  applied: Change[];
  /** The change that failed, and why. Whether it took effect is only known if the server responded. */
  failed?: { change: Change; error: unknown };
  remaining: Change[];
  /** Items of which the server stores other values than the file has: a second apply would send them again. */
  differing: { change: Change; paths: string[] }[];
}

/** Writes one change after the other, and stops at the first failure. */
export async function applyChanges(
  client: Graticule,
  changes: readonly Change[],
  secrets: Secrets,
  { updateSecrets }: PlanOptions,
): Promise<Outcome> {
  const outcome: Outcome = { applied: [], remaining: [], differing: [] };
  for (const [i, change] of changes.entries()) {
    const { kind, item, before } = change;
    try {
      if (item === undefined) await kind.remove(client, before as Stored);
      else {
        const stored = await kind.write(client, { item, ...(before && { before }), secrets, updateSecrets });
        const paths = fieldsOf(kind.comparable(stored), kind.comparable(item)).map(({ path }) => path);
        if (paths.length > 0) outcome.differing.push({ change, paths });
      }
    } catch (error) {
      return { ...outcome, failed: { change, error }, remaining: changes.slice(i + 1) };
    }
    outcome.applied.push(change);
  }
  return outcome;
}
