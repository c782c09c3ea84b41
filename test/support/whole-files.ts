import { readFile } from "node:fs/promises";
import type { Bucket } from "../../src/importer/publish/bucket.ts";

/** What a bucket in memory does with files and streams: objects of tests are small. */
export function wholeFiles(
  get: (key: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>,
  put: (key: string, bytes: Uint8Array) => unknown,
): Pick<Bucket, "putFile" | "read"> {
  return {
    async putFile(key, { path, offset, length }, done) {
      const bytes = (await readFile(path)).subarray(offset, offset + length);
      await put(key, new Uint8Array(bytes));
      done(length);
    },
    async read(key) {
      const bytes = await get(key);
      if (!bytes) return undefined;
      return (async function* () {
        yield bytes;
      })();
    },
  };
}
