import type { Selection, TagSelection } from "./selection.ts";

/** Does the wide selection hold all that the narrow one holds? */
export function covers(wide: Selection, narrow: Selection): boolean {
  return (["nodes", "ways", "relations"] as const).every((kind) => covering(wide[kind], narrow[kind]));
}

function covering(wide: TagSelection | undefined, narrow: TagSelection | undefined): boolean {
  if (narrow === undefined || wide === true) return true;
  if (wide === undefined || narrow === true) return false;
  // "building=yes" is covered separately, and by "building".
  return narrow.every((tag) => wide.includes(tag) || wide.includes(tag.split("=")[0]));
}
