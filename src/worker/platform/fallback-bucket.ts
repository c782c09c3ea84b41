/**
 * A bucket with the objects of two: those of a project that has moved to another jurisdiction, while its files are
 * copied. Writes go to the new one, reads find what is still in the former, and deletes concern both.
 */
export function bucketWithFallback(here: R2Bucket, former: R2Bucket): R2Bucket {
  const either = {
    put: here.put.bind(here),
    get: async (key: string, options?: R2GetOptions) =>
      (await here.get(key, options)) ?? (await former.get(key, options)),
    head: async (key: string) => (await here.head(key)) ?? (await former.head(key)),
    delete: async (keys: string | string[]) => {
      // The former first: what is copied in between is deleted by the second.
      await former.delete(keys);
      await here.delete(keys);
    },
    list: (options: R2ListOptions = {}) => listBoth(here, former, options),
  };
  return either as unknown as R2Bucket;
}

/** A page of both: a page of the former is filled up with objects of the new one that belong between its keys. */
async function listBoth(here: R2Bucket, former: R2Bucket, options: R2ListOptions): Promise<R2Objects> {
  const { limit = 1000, cursor, ...rest } = options;
  const after = cursor ?? rest.startAfter;
  const ask = { ...rest, limit, ...(after !== undefined && { startAfter: after }) };
  const [own, other] = await Promise.all([here.list(ask), former.list(ask)]);
  const byKey = new Map([...other.objects, ...own.objects].map((object) => [object.key, object]));
  const all = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const objects = all.slice(0, limit);
  const truncated = own.truncated || other.truncated || all.length > limit;
  const delimitedPrefixes = [...new Set([...own.delimitedPrefixes, ...other.delimitedPrefixes])];
  return truncated
    ? { objects, delimitedPrefixes, truncated, cursor: objects[objects.length - 1].key }
    : { objects, delimitedPrefixes, truncated: false };
}
