import { Interned } from "../../geo/bytes/interned.ts";
import type { ColumnReader, ColumnWriter } from "./columns.ts";
import type { NodeRecord, RoadRecord } from "./road-record.ts";

/** Number of records of each kind in a tile, in the order of its counts. */
export interface RecordCounts {
  records: number;
  /** Bytes of the strings. */
  kinds: number;
  names: number;
  nodes: number;
}

/**
 * Records of the roads and junctions of a tile. Roads differ mostly by their names: a record is a kind (everything
 * except the name), and a name. Strings are kept as bytes until they are requested, because most tiles are only passed
 * through.
 *
 *     kind, name  u16 each  per record; name 0: none, else its number + 1
 *     kinds       text      JSON: RoadRecord[] without names
 *     names       text      JSON: string[]
 *     nodes       text      JSON: [node, NodeRecord][]
 */
export class TileRecords {
  /** Called after strings were decoded, with their approximate memory size. */
  readonly #grown: (bytes: number) => void;
  readonly #kind: Uint16Array;
  readonly #name: Uint16Array;
  readonly #kindText: Uint8Array;
  readonly #nameText: Uint8Array;
  readonly #nodeText: Uint8Array;
  #kinds: { records: RoadRecord[]; structures: Uint8Array } | undefined;
  #texts: { names: string[]; records: RoadRecord[] } | undefined;
  #nodes: Map<number, NodeRecord> | undefined;

  constructor(columns: ColumnReader, counts: RecordCounts, grown: (bytes: number) => void) {
    this.#kind = columns.u16(counts.records);
    this.#name = columns.u16(counts.records);
    this.#kindText = columns.u8(counts.kinds);
    this.#nameText = columns.u8(counts.names);
    this.#nodeText = columns.u8(counts.nodes);
    this.#grown = grown;
  }

  at(number: number): RoadRecord {
    this.#texts ??= this.#readTexts();
    const { names, records } = this.#texts;
    const known = records[number];
    if (known) return known;
    const name = this.#name[number];
    this.#kinds ??= this.#readKinds();
    const kind = this.#kinds.records[this.#kind[number]];
    const record = name === 0 ? kind : { ...kind, name: names[name - 1] };
    records[number] = record;
    if (name !== 0) this.#grown(RECORD);
    return record;
  }

  /** Bits of `STRUCTURE`; the names are not read for it. */
  structureOf(number: number): number {
    this.#kinds ??= this.#readKinds();
    return this.#kinds.structures[this.#kind[number]];
  }

  get nodes(): ReadonlyMap<number, NodeRecord> {
    const known = this.#nodes;
    if (known) return known;
    const nodes = new Map(parsed(this.#nodeText) as [number, NodeRecord][]);
    this.#nodes = nodes;
    this.#grown(this.#nodeText.length * PARSED);
    return nodes;
  }

  /** Drops the decoded strings. */
  forget(): void {
    this.#kinds = undefined;
    this.#texts = undefined;
    this.#nodes = undefined;
  }

  #readKinds() {
    const records = parsed(this.#kindText) as RoadRecord[];
    this.#grown(this.#kindText.length * PARSED);
    return { records, structures: Uint8Array.from(records, structureBits) };
  }

  #readTexts() {
    const names = parsed(this.#nameText) as string[];
    this.#grown(this.#nameText.length * PARSED + this.#kind.length * 8);
    return { names, records: [] };
  }
}

/** Bits of roads that are not beside what they pass. Links of trunk roads are ramps as those of motorways are. */
export const STRUCTURE = { tunnel: 1, bridge: 2, motorway: 4 } as const;

const structureBits = ({ tunnel, bridge, class: roadClass, link }: RoadRecord): number =>
  (tunnel ? STRUCTURE.tunnel : 0) |
  (bridge ? STRUCTURE.bridge : 0) |
  (roadClass === "motorway" || (roadClass === "trunk" && link) ? STRUCTURE.motorway : 0);

/** Approximate memory size of a byte of JSON after parsing. */
const PARSED = 3;
/** A record, in addition to its strings [bytes]. */
const RECORD = 80;

const parsed = (text: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(text));

/** Output of `writeRecords`, which must be measured before. */
export interface PackedRecords {
  kind: number[];
  name: number[];
  texts: { kinds: Uint8Array; names: Uint8Array; nodes: Uint8Array };
}

export function packRecords(
  records: readonly RoadRecord[],
  nodes: readonly (readonly [node: number, record: NodeRecord])[],
): PackedRecords {
  const kinds = new Interned<string>(String);
  const names = new Interned<string>(String);
  const kind: number[] = [];
  const name: number[] = [];
  for (const { name: own, ...rest } of records) {
    kind.push(kinds.add(JSON.stringify(rest)));
    name.push(own === undefined ? 0 : names.add(own) + 1);
  }
  const encoded = (text: string) => new TextEncoder().encode(text);
  const texts = {
    kinds: encoded(`[${kinds.values.join()}]`),
    names: encoded(JSON.stringify(names.values)),
    nodes: encoded(JSON.stringify(nodes)),
  };
  return { kind, name, texts };
}

export function writeRecords(columns: ColumnWriter, { kind, name, texts }: PackedRecords): void {
  columns.u16(kind);
  columns.u16(name);
  columns.u8(texts.kinds);
  columns.u8(texts.names);
  columns.u8(texts.nodes);
}
