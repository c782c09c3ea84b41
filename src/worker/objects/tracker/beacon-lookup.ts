import type { BeaconLabel, BeaconsAround } from "../../../core/tracking/types/surroundings.ts";
import { type BeaconRow, beaconsById, beaconsBySignal } from "../../db/customers/beacons.ts";
import { type Databases, envOf } from "../../db/databases.ts";

/** Maximum number of signals and beacons cached by an isolate, for all scopes together. */
const MAX_ENTRIES = 50_000;

interface Known {
  epoch: number;
  /** The beacons of a signal; usually one, or none. */
  bySignal: Map<string, BeaconRow[]>;
  /** null = no such beacon. */
  byId: Map<string, BeaconRow | null>;
}

const scopes = new Map<number, Known>();
let entries = 0;

/**
 * The project's beacons for the signals that a device ranges. `held` are the ids of the beacons it was in range of
 * before. Results are cached until the epoch of the scope's beacons rises, so a device that stays near the same beacons
 * causes no database queries.
 */
export async function findRangedBeacons(
  env: Databases,
  scope: number,
  epoch: number,
  signals: readonly string[],
  held: readonly string[],
): Promise<BeaconsAround> {
  if (epoch === 0) return { ranged: [], disabled: [] };
  const known = knownOf(scope, epoch);
  const newSignals = signals.filter((signal) => !known.bySignal.has(signal));
  const newIds = held.filter((id) => !known.byId.has(id));
  if (newSignals.length + newIds.length === 0) return labelled(known, signals, held);
  const { DB: db } = await envOf(env, scope);
  const [found, rows] = await Promise.all([
    newSignals.length > 0 ? beaconsBySignal(db, scope, newSignals) : [],
    newIds.length > 0 ? beaconsById(db, scope, newIds) : [],
  ]);
  for (const signal of newSignals)
    known.bySignal.set(
      signal,
      found.filter((row) => row.signal === signal),
    );
  for (const id of newIds) known.byId.set(id, rows.find((row) => row.id === id) ?? null);
  entries += newSignals.length + newIds.length;
  return labelled(known, signals, held);
}

/** Some beacons by _id. Those that do not exist are missing. */
export async function findBeacons(
  env: Databases,
  scope: number,
  epoch: number,
  ids: readonly string[],
): Promise<BeaconLabel[]> {
  if (epoch === 0 || ids.length === 0) return [];
  await findRangedBeacons(env, scope, epoch, [], ids);
  const { byId } = knownOf(scope, epoch);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [labelOf(row)] : [];
  });
}

function labelled(known: Known, signals: readonly string[], held: readonly string[]): BeaconsAround {
  const ranged = new Map<string, BeaconLabel>();
  for (const signal of signals) {
    for (const row of known.bySignal.get(signal) ?? []) if (row.enabled) ranged.set(row.id, labelOf(row));
  }
  return { ranged: [...ranged.values()], disabled: held.filter((id) => known.byId.get(id)?.enabled === false) };
}

function knownOf(scope: number, epoch: number): Known {
  if (entries > MAX_ENTRIES) {
    scopes.clear();
    entries = 0;
  }
  let known = scopes.get(scope);
  if (!known || known.epoch < epoch) {
    known = { epoch, bySignal: new Map(), byId: new Map() };
    scopes.set(scope, known);
  }
  return known;
}

function labelOf(row: BeaconRow): BeaconLabel {
  const label: BeaconLabel = {
    _id: row.id,
    type: row.type,
    description: row.description,
    enabled: row.enabled,
  };
  if (row.uuid !== null) label.uuid = row.uuid;
  if (row.major !== null) label.major = row.major;
  if (row.minor !== null) label.minor = row.minor;
  if (row.uid !== null) label.uid = row.uid;
  if (row.instance !== null) label.instance = row.instance;
  if (row.tag !== null) label.tag = row.tag;
  if (row.externalId !== null) label.externalId = row.externalId;
  if (row.metadata !== null) label.metadata = JSON.parse(row.metadata);
  return label;
}
