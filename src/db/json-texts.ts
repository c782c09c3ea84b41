/** Longest text bound to one statement [characters]; D1 takes 2 MB. */
const LONGEST_TEXT = 1_000_000;

/** Rows of JSON as JSON arrays, none too long to be bound: a list travels as one parameter, to be read by json_each. */
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
