import { ProtobufReader, ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
import { Block, ElementFields, GROUP_WAYS, PLACES_KEY } from "../pbf/block.ts";
import { NO_PLACE } from "../pbf/element.ts";
import { type FilteredBlock, filterBlock } from "../pbf/filter-block.ts";
import { PlaceReader, PlaceWriter } from "../pbf/places.ts";
import { cellOf, isFar } from "./content-areas.ts";

/** A node that is left out, or a way of which nodes are. */
export interface FarElement {
  kind: "node" | "way";
  id: number;
  /** Where what is left out is [1e-7 degrees]; of a way, where the first such node is. */
  latitude: number;
  longitude: number;
}

export type Clusters = Uint16Array<SharedArrayBuffer>;

/** A block of the store of nodes, or of ways with lines, without what is far. */
export function withoutFar(
  bytes: Uint8Array<ArrayBuffer>,
  kind: "nodes" | "ways",
  clusters: Clusters,
): FilteredBlock & { far: FarElement[] } {
  return kind === "nodes" ? nearNodes(bytes, clusters) : nearWays(bytes, clusters);
}

function nearNodes(bytes: Uint8Array<ArrayBuffer>, clusters: Clusters): FilteredBlock & { far: FarElement[] } {
  const far: FarElement[] = [];
  let here = false;
  const onNode = (id: number, latitude: number, longitude: number) => {
    here = isFar(clusters[cellOf(latitude, longitude)]);
    if (here) far.push({ kind: "node", id, latitude, longitude });
  };
  const filtered = filterBlock(bytes, { nodes: true }, { onNode, isNode: () => !here });
  return far.length === 0 ? { ...filtered, block: bytes, far } : { ...filtered, far };
}

const LINE = new PlaceWriter();
const WAY = new ProtobufWriter();
const GROUP = new ProtobufWriter();
const OUT = new ProtobufWriter();

function nearWays(bytes: Uint8Array<ArrayBuffer>, clusters: Clusters): FilteredBlock & { far: FarElement[] } {
  const far: FarElement[] = [];
  const summary = { count: 0, first: 0, last: 0, ascending: true };
  const block = new Block(bytes);
  GROUP.clear();
  for (const [start, end] of block.groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      group.varint();
      const message = group.message();
      const { id, places } = new ElementFields(GROUP_WAYS, message);
      if (summary.count++ === 0) summary.first = id;
      else if (id <= summary.last) summary.ascending = false;
      summary.last = id;
      const cut = places && nearLine(places, clusters);
      if (cut) far.push({ kind: "way", id, ...cut });
      GROUP.bytesField(GROUP_WAYS, cut ? withPlaces(message) : bytes.subarray(message.at, message.end));
    }
  }
  if (far.length === 0) return { ...summary, block: bytes, far };
  OUT.clear();
  OUT.bytesField(1, block.strings());
  OUT.bytesField(2, GROUP.view());
  return { ...summary, block: OUT.finish(), far };
}

/**
 * Writes a line's places to LINE without those that are in another cluster than most of them: between clusters there is nothing, so a
 * line from one to another is a mistake. Returns the first that is left out; undefined for a line that stays as it is.
 */
function nearLine(places: ProtobufReader, clusters: Clusters): { latitude: number; longitude: number } | undefined {
  const nodes = new Map<number, number>();
  const eachPlace = (visit: (latitude: number, longitude: number, cluster: number) => void) => {
    const reader = new PlaceReader(new ProtobufReader(places.bytes, places.at, places.end));
    while (reader.more) {
      reader.next();
      const { latitude, longitude } = reader;
      visit(latitude, longitude, longitude === NO_PLACE ? 0 : clusters[cellOf(latitude, longitude)]);
    }
  };
  eachPlace((_, __, cluster) => {
    if (cluster !== 0) nodes.set(cluster, (nodes.get(cluster) ?? 0) + 1);
  });
  if (nodes.size === 0 || (nodes.size === 1 && !isFar([...nodes.keys()][0]))) return undefined;
  const near = [...nodes].filter(([cluster]) => !isFar(cluster));
  // Clusters are numbered by their size: of equals the largest counts.
  const [most] = near.sort((a, b) => b[1] - a[1] || a[0] - b[0]).at(0) ?? [0];
  let first: { latitude: number; longitude: number } | undefined;
  LINE.clear();
  eachPlace((latitude, longitude, cluster) => {
    const stays = cluster === most && cluster !== 0;
    if (!stays && cluster !== 0) first ??= { latitude, longitude };
    LINE.add(stays ? longitude : NO_PLACE, stays ? latitude : NO_PLACE);
  });
  return first;
}

/** A Way with the places of LINE in the place of its own. */
function withPlaces(message: ProtobufReader): Uint8Array {
  const { bytes, at, end } = message;
  const fields = new ProtobufReader(bytes, at, end);
  WAY.clear();
  while (fields.more) {
    const start = fields.at;
    const key = fields.varint();
    fields.skip(key & 7);
    if (key !== PLACES_KEY) WAY.raw(bytes.subarray(start, fields.at));
  }
  return WAY.varint(PLACES_KEY).bytes(LINE.view()).view();
}
