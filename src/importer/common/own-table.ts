/** A table by values of tags: mappers may write "constructor", which every object inherits. */
export const tableOf = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), entries);

/** The same by key, then by value. */
export const tablesOf = <T>(tables: Readonly<Record<string, Readonly<Record<string, T>>>>) =>
  tableOf(Object.fromEntries(Object.entries(tables).map(([key, entries]) => [key, tableOf(entries)])));
