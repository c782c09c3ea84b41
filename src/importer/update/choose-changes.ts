import type { Progress } from "../common/progress.ts";
import { firstAtLeast } from "../common/sorted-numbers.ts";
import type { BlobFile } from "../osm/pbf/blob-file.ts";
import { unpackBlob } from "../osm/pbf/blob-file.ts";
import type { OsmElement } from "../osm/pbf/element.ts";
import { eachId } from "../osm/pbf/element-ids.ts";
import { versionsOf } from "../osm/pbf/versions.ts";
import type { IdSpans } from "../osm/read/jobs.ts";
import type { Change, Changes, Kind } from "./changes.ts";

export interface Merged {
  created: number;
  modified: number;
  deleted: number;
  /** Changes that the extract had already, in this version or a newer one. */
  known: number;
  /** Changes of elements that do not be in the extract. */
  elsewhere: number;
}

/** A change to apply, and whether the extract has the element. */
interface Chosen {
  change: Change;
  there: boolean;
}

/** A blob: the kinds it holds, whether a change touches it, and its largest id. */
interface Span {
  kinds: Kind[];
  changed: boolean;
  most: number;
}

/** Cached data of a blob, by its bytes. */
export type SpansOf = (blob: Uint8Array) => IdSpans | undefined;

const HOUR = 3_600_000;

type PerKind<T> = Record<Kind, T>;

/**
 * Decides which changes concern an extract, in one pass over its ids:
 *
 * - what it has is changed, when the change is a newer version (or no versions are known);
 * - a new node is used when it is inside the box, or a way that is used names it; a new way when the extract has one of its nodes; a new
 *   relation when the extract has a member;
 * - what it does not have although it is older than the extract was deleted before, and stays so.
 */
export async function chooseChanges(
  file: BlobFile,
  changes: Changes,
  inside: ((latitude: number, longitude: number) => boolean) | undefined,
  progress: Progress,
  spansOf: SpansOf = () => undefined,
): Promise<{ chosen: PerKind<Map<number, Chosen>>; spans: Span[]; counts: Merged }> {
  const { there, spans } = await lookThrough(file, changes, requiredIds(changes), spansOf, progress);
  const age = file.header.timestamp === undefined ? Number.NEGATIVE_INFINITY : file.header.timestamp * 1000 - HOUR;
  const choice: Choice = {
    counts: { created: 0, modified: 0, deleted: 0, known: 0, elsewhere: 0 },
    chosen: { node: new Map(), way: new Map(), relation: new Map() },
    skip: { node: new Set(), way: new Set(), relation: new Set() },
  };
  chooseKnown(changes, there, age, choice);
  chooseNew(changes, there, inside, choice);
  const { chosen, counts } = choice;
  for (const kind of ["node", "way", "relation"] as const) {
    counts.elsewhere += changes[kind].size - chosen[kind].size;
  }
  counts.elsewhere -= counts.known;
  return {
    chosen,
    // A blob is written again only where something in it changes.
    spans: spans.map(({ ids, ...span }) => ({ ...span, changed: ids.some(([kind, id]) => chosen[kind].has(id)) })),
    counts,
  };
}

/** What is decided so far. `skip`: changes of what the extract has in a newer version, or was deleted from it. */
interface Choice {
  counts: Merged;
  chosen: PerKind<Map<number, Chosen>>;
  skip: PerKind<Set<number>>;
}

/** Decides on the changes of elements that the extract has, or once had. */
function chooseKnown(
  changes: Changes,
  there: PerKind<Map<number, number>>,
  age: number,
  { counts, chosen, skip }: Choice,
): void {
  for (const kind of ["node", "way", "relation"] as const) {
    for (const [id, change] of changes[kind]) {
      const version = there[kind].get(id);
      if (version === undefined) {
        if (!change.element) skip[kind].add(id);
        else if (change.time !== undefined && change.time < age) {
          skip[kind].add(id);
          counts.known++;
        }
      } else if (version > 0 && change.version > 0 && change.version <= version) {
        skip[kind].add(id);
        counts.known++;
      } else {
        chosen[kind].set(id, { change, there: true });
        if (change.element) counts.modified++;
        else counts.deleted++;
      }
    }
  }
}

/** Decides on new elements: nodes inside, ways with a node that is there, the nodes of these ways, relations with a member. */
function chooseNew(
  changes: Changes,
  there: PerKind<Map<number, number>>,
  inside: ((latitude: number, longitude: number) => boolean) | undefined,
  { counts, chosen, skip }: Choice,
): void {
  const isThere = (kind: Kind, id: number) =>
    chosen[kind].has(id) ? chosen[kind].get(id)?.change.element !== undefined : there[kind].has(id);
  const create = (kind: Kind, id: number, belongs: (element: OsmElement) => boolean): void => {
    const change = changes[kind].get(id);
    if (!change?.element || skip[kind].has(id) || chosen[kind].has(id) || !belongs(change.element)) return;
    chosen[kind].set(id, { change, there: false });
    counts.created++;
  };
  for (const id of changes.node.keys()) {
    create("node", id, (node) => node.type === "node" && (inside?.(node.latitude, node.longitude) ?? true));
  }
  for (const id of changes.way.keys()) {
    create("way", id, (way) => way.type === "way" && way.refs.some((ref) => isThere("node", ref)));
  }
  for (const { change } of chosen.way.values()) {
    if (change.element?.type === "way") for (const ref of change.element.refs) create("node", ref, () => true);
  }
  for (const id of changes.relation.keys()) {
    create("relation", id, (one) => one.type === "relation" && one.members.some(({ type, ref }) => isThere(type, ref)));
  }
}

/** All ids that changes name: of themselves, of nodes of ways, of members. */
function requiredIds(changes: Changes): PerKind<Set<number>> {
  const wanted: PerKind<Set<number>> = {
    node: new Set(changes.node.keys()),
    way: new Set(changes.way.keys()),
    relation: new Set(changes.relation.keys()),
  };
  for (const { element } of changes.way.values()) {
    if (element?.type === "way") for (const ref of element.refs) wanted.node.add(ref);
  }
  for (const { element } of changes.relation.values()) {
    if (element?.type === "relation") for (const { type, ref } of element.members) wanted[type].add(ref);
  }
  return wanted;
}

const KINDS = [
  ["nodes", "node"],
  ["ways", "way"],
  ["relations", "relation"],
] as const;

/** Of a blob that is known, where nothing that is wanted is between its ids. */
function spanOf(spans: IdSpans, sorted: PerKind<Float64Array>): Omit<Span, "changed"> | undefined {
  const kinds: Kind[] = [];
  let most = 0;
  for (const [name, kind] of KINDS) {
    const span = spans[name];
    if (!span) continue;
    const [min, max] = span;
    const at = firstAtLeast(sorted[kind], min);
    if (at < sorted[kind].length && sorted[kind][at] <= max) return undefined;
    kinds.push(kind);
    if (max > most) most = max;
  }
  return { kinds, most };
}

const ascending = (ids: ReadonlySet<number>) => Float64Array.from(ids).sort();

/** Which of the ids the extract has, with their versions, and what each blob holds. */
async function lookThrough(
  file: BlobFile,
  changes: Changes,
  wanted: PerKind<Set<number>>,
  spansOf: SpansOf,
  progress: Progress,
) {
  const there: PerKind<Map<number, number>> = { node: new Map(), way: new Map(), relation: new Map() };
  const spans: (Omit<Span, "changed"> & { ids: [Kind, number][] })[] = [];
  const inOrder = { node: ascending(wanted.node), way: ascending(wanted.way), relation: ascending(wanted.relation) };
  for (const place of file.blobs) {
    const blob = await file.readBlob(place);
    const known = spansOf(blob);
    const span = known && spanOf(known, inOrder);
    progress.advance(place.length);
    if (span) {
      spans.push({ ...span, ids: [] });
      continue;
    }
    const bytes = unpackBlob(blob, file.path, place.offset);
    const found: { kind: Kind; id: number; at: number }[] = [];
    const kinds = new Set<Kind>();
    let at = 0;
    let most = 0;
    eachId(bytes, (kind, id) => {
      kinds.add(kind);
      if (id > most) most = id;
      if (wanted[kind].has(id)) found.push({ kind, id, at });
      at++;
    });
    const versions = found.length > 0 ? versionsOf(bytes) : [];
    for (const one of found) there[one.kind].set(one.id, versions[one.at] ?? 0);
    const ids = found.filter(({ kind, id }) => changes[kind].has(id)).map(({ kind, id }): [Kind, number] => [kind, id]);
    spans.push({ kinds: [...kinds], most, ids });
  }
  return { there, spans };
}
