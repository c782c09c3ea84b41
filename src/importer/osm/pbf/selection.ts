/**
 * Which elements of one kind are wanted: all of them, or those that carry one of the tags. "highway" asks for the key
 * with any value, "type=multipolygon" for the pair. Plain data, so that worker threads can hold it.
 */
export type TagSelection = true | readonly string[];

export interface Selection {
  nodes?: TagSelection;
  ways?: TagSelection;
  relations?: TagSelection;
}

/** The selection that holds what either holds. */
export function unite(a: Selection, b: Selection): Selection {
  const both = (x?: TagSelection, y?: TagSelection): TagSelection | undefined => {
    if (x === true || y === true) return true;
    if (!x || !y) return x ?? y;
    return [...new Set([...x, ...y])].sort();
  };
  return {
    nodes: both(a.nodes, b.nodes),
    ways: both(a.ways, b.ways),
    relations: both(a.relations, b.relations),
  };
}
