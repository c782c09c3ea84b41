/** Maximum length of a string bound to one statement [characters]; D1 accepts 2 MB. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Joins JSON rows into JSON arrays that are short enough to bind: a list is one parameter, which json_each reads. */
export function jsonTexts(rows: readonly string[]): string[] {
  return jsonGroups(rows, ({ length }) => length).map((some) => `[${some.join()}]`);
}

/**
 * Splits values into groups, each short enough for one string.
 * @param lengthOf approximate length of a value's JSON [characters]
 */
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
