import { ProtobufWriter } from "../../../src/core/geo/bytes/protobuf.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { encodeBlock } from "../../../src/importer/osm/pbf/write-pbf.ts";

export interface HeaderOf {
  bounds?: readonly [west: number, south: number, east: number, north: number];
}

/** An .osm.pbf of blobs as they are given, in any order and with any ids: what `writePbf` refuses to write. */
export function pbfOf(blobs: readonly (readonly OsmElement[])[], { bounds }: HeaderOf = {}): Buffer {
  const header = new ProtobufWriter();
  if (bounds) {
    const [west, south, east, north] = bounds;
    header.messageField(1, (box) => {
      for (const [i, degrees] of [west, east, north, south].entries())
        box.signedField(i + 1, Math.round(degrees * 1e9));
    });
  }
  header.textField(4, "OsmSchema-V0.6");
  header.textField(4, "DenseNodes");
  return Buffer.concat([
    shell("OSMHeader", 1, header.finish()),
    ...blobs.map((elements) => shell("OSMData", 1, encodeBlock(elements))),
  ]);
}

/** A blob of the outer chain with its content in the given field, not compressed by us. */
export function shell(type: string, field: number, content: Uint8Array): Buffer {
  const blob = new ProtobufWriter();
  blob.bytesField(field, content);
  const header = new ProtobufWriter();
  header.textField(1, type);
  header.varintField(3, blob.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header.finish(), blob.finish()]);
}
