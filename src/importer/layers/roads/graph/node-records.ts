import type { NodeRecord } from "../../../../core/routing/graph/road-record.ts";

/** Records of junctions, as columns: junctions ascending, and for each the number of a record. */
interface NodeRecordColumns {
  nodes: Int32Array;
  numbers: Int32Array;
  /** Different ones: few, as most are traffic lights. */
  records: readonly NodeRecord[];
}

/** The records of the junctions that have one. */
export class NodeRecords {
  readonly columns: NodeRecordColumns;

  constructor(columns: NodeRecordColumns) {
    this.columns = columns;
  }

  get size(): number {
    return this.columns.nodes.length;
  }

  /** Binary search. */
  get(node: number): NodeRecord | undefined {
    const { nodes, numbers, records } = this.columns;
    let low = 0;
    let high = nodes.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (nodes[middle] === node) return records[numbers[middle]];
      if (nodes[middle] < node) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}
