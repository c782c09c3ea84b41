import { encodePrefixes, HEAD_KEY, headKey } from "./layout.ts";
import { encodeNames, type NewEntry, wordsOf } from "./names-tile.ts";
import type { PackedObject } from "./packed-object.ts";

/**
 * A block that is expected to exceed this [bytes] is split by the next letter, and keeps its best entries for short
 * queries.
 */
const BLOCK_BYTES = 40 * 1024;
const ENTRY_BYTES = 24;
const LONGEST_PREFIX = 6;

/**
 * The head: regions by the beginnings of their words, so that "ber" opens one object and finds Berlin wherever the
 * caller is. A prefix that many words begin with keeps its best-known regions, the rest lies under longer prefixes.
 */
export function* packHead(regions: readonly NewEntry[]): Generator<PackedObject> {
  const sorted = [...regions].sort(
    (a, b) =>
      Math.round(b.importance) - Math.round(a.importance) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
      a.latitude - b.latitude ||
      a.longitude - b.longitude,
  );
  const blocks = new Map<string, NewEntry[]>();
  const split = (prefix: string, members: readonly { word: string; entry: NewEntry }[]) => {
    const entries = [...new Set(members.map(({ entry }) => entry))];
    const most = Math.floor(BLOCK_BYTES / ENTRY_BYTES / averageLength(entries));
    const full = entries.length > most && prefix.length < LONGEST_PREFIX;
    if (prefix !== "") blocks.set(prefix, entries.slice(0, most));
    if (prefix !== "" && !full) return;
    const children = new Map<string, { word: string; entry: NewEntry }[]>();
    for (const member of members) {
      const letters = [...member.word];
      const length = [...prefix].length;
      if (letters.length <= length) continue;
      const next = letters.slice(0, length + 1).join("");
      const known = children.get(next);
      if (known) known.push(member);
      else children.set(next, [member]);
    }
    for (const [next, list] of children) split(next, list);
  };
  split(
    "",
    sorted.flatMap((entry) => [...wordsOf(entry)].map((word) => ({ word, entry }))),
  );
  const prefixes = [...blocks.keys()].sort();
  for (const [i, prefix] of prefixes.entries()) {
    const entries = blocks.get(prefix)!;
    yield {
      key: headKey(i),
      bytes: encodeNames(
        entries,
        entries.map(() => 0),
      ),
    };
  }
  yield { key: HEAD_KEY, bytes: encodePrefixes(prefixes) };
}

/** Of names and words, as a factor of what an average entry takes. */
function averageLength(entries: readonly NewEntry[]): number {
  if (entries.length === 0) return 1;
  const letters = entries.reduce(
    (sum, { name, names = [] }) => sum + name.length + names.reduce((more, [, other]) => more + 2 * other.length, 0),
    0,
  );
  return Math.max(1, (2 * letters) / entries.length / ENTRY_BYTES);
}
