/** Longest text bound to one statement [characters]; D1 takes 2 MB. */
const MAX_TEXT_LENGTH = 1_000_000;

/**
 * Joins rows of JSON into JSON arrays that are short enough to be bound: a list is one parameter, which json_each
 * reads.
 */
export function jsonTexts(rows: readonly string[]): string[] {
  return jsonGroups(rows, ({ length }) => length).map((some) => `[${some.join()}]`);
}

/** Some values in groups, each short enough for one text. @param lengthOf how long a value's JSON is, about [characters] */
export function jsonGroups<T>(values: readonly T[], lengthOf: (value: T) => number): T[][] {
  const groups: T[][] = [];
  let group: T[] = [];
  let length = 0;
  for (const value of values) {
    const more = lengthOf(value) + 1;
    if (group.length === 0 || length + more > MAX_TEXT_LENGTH) {
      group = [];
      groups.push(group);
      length = 0;
    }
    group.push(value);
    length += more;
  }
  return groups;
}
