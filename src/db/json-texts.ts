/** Longest text bound to one statement [characters]; D1 takes 2 MB. */
const LONGEST_TEXT = 1_000_000;

/**
 * Joins rows of JSON into JSON arrays that are short enough to be bound: a list is one parameter, which json_each
 * reads.
 */
export function jsonTexts(rows: readonly string[]): string[] {
  const out: string[] = [];
  let from = 0;
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    if (length + rows[i].length > LONGEST_TEXT && i > from) {
      out.push(`[${rows.slice(from, i).join()}]`);
      from = i;
      length = 0;
    }
    length += rows[i].length + 1;
  }
  if (from < rows.length) out.push(`[${rows.slice(from).join()}]`);
  return out;
}
