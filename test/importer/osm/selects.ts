import type { TagSelection } from "../../../src/importer/osm/pbf/selection.ts";

/** Whether an element with these tags belongs to the selection: what `TagMatcher` does inside a block. */
export function selects(selection: TagSelection | undefined, tags: Readonly<Record<string, string>>): boolean {
  if (selection === undefined) return false;
  if (selection === true) return true;
  return selection.some((tag) => {
    const equals = tag.indexOf("=");
    return equals < 0 ? tags[tag] !== undefined : tags[tag.slice(0, equals)] === tag.slice(equals + 1);
  });
}
