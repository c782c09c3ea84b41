/**
 * The location of an object's row groups. It is stored in D1 with the object's name, so that a list reads only the
 * groups it needs, and no footer.
 */
export interface Group {
  rows: number;
  /** Offset of its first column in the object [bytes]. */
  offset: number;
  /** Size of each column, in order [bytes]. */
  sizes: readonly number[];
  /** Times of its first and last events [ms]. */
  from: number;
  to: number;
  /** In an object by type: the type of all its events. */
  type?: string;
  /** In an object by user: the first and the last of its users. */
  users?: readonly [first: string, last: string];
}

/** A group as it is stored: [rows, offset, from, to, type or first user, last user or null, sizes]. */
type Stored = [number, number, number, number, string, string | null, readonly number[]];

export function writeDirectory(groups: readonly Group[]): string {
  const rows = groups.map(
    ({ rows, offset, from, to, type, users, sizes }): Stored => [
      ...([rows, offset, from, to] as const),
      ...([type ?? users?.[0] ?? "", users?.[1] ?? null, sizes] as const),
    ],
  );
  return JSON.stringify(rows);
}

export function readDirectory(text: string): Group[] {
  return (JSON.parse(text) as Stored[]).map(([rows, offset, from, to, name, last, sizes]) => ({
    rows,
    offset,
    from,
    to,
    sizes,
    ...(last === null ? { type: name } : { users: [name, last] as const }),
  }));
}
