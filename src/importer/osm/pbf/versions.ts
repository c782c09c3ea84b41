import { ProtobufReader } from "../../../core/geo/bytes/protobuf.ts";
import { Block, GROUP_DENSE, GROUP_NODES, GROUP_RELATIONS, GROUP_WAYS } from "./block.ts";

/** The versions of a block's elements, in their order; 0 where the file does not say them. */
export function versionsOf(bytes: Uint8Array): number[] {
  const versions: number[] = [];
  for (const [start, end] of new Block(bytes).groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      const kind = key >> 3;
      if ((key & 7) !== 2) group.skip(key & 7);
      else if (kind === GROUP_DENSE) denseVersions(group.message(), versions);
      else if (kind === GROUP_WAYS || kind === GROUP_RELATIONS || kind === GROUP_NODES) {
        versions.push(versionIn(group.message()));
      } else group.skip(2);
    }
  }
  return versions;
}

/** DenseNodes {1: ids, 5: DenseInfo {1: versions}} */
function denseVersions(dense: ProtobufReader, versions: number[]): void {
  let nodes = 0;
  const before = versions.length;
  while (dense.more) {
    const key = dense.varint();
    if (key === 10) {
      for (const ids = dense.message(); ids.more; nodes++) ids.varint();
    } else if (key === 42) {
      const info = dense.message();
      while (info.more) {
        const field = info.varint();
        if (field !== 10) info.skip(field & 7);
        else for (const list = info.message(); list.more; ) versions.push(known(list.int64()));
      }
    } else dense.skip(key & 7);
  }
  while (versions.length < before + nodes) versions.push(0);
}

/** Node, Way and Relation {4: Info {1: version}} */
function versionIn(element: ProtobufReader): number {
  while (element.more) {
    const key = element.varint();
    if (key !== 34) {
      element.skip(key & 7);
      continue;
    }
    const info = element.message();
    while (info.more) {
      const field = info.varint();
      if (field === 8) return known(info.int64());
      info.skip(field & 7);
    }
  }
  return 0;
}

/** −1 stands for a version that is not known. */
const known = (version: number) => Math.max(0, version);
