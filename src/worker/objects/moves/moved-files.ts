import { LEARNING_PREFIX, stateKey } from "../../../core/routing/learn/keys.ts";

/** The files of a project, which move with it to the bucket of another jurisdiction. */

/** Objects copied at a time. */
const AT_ONCE = 50;
/** Objects deleted at a time. */
const DELETED_AT_ONCE = 100;

/** Prefixes of a scope's files: uploads, archived events, what was collected for learned speeds, events of bucket webhooks. */
const filePrefixes = (scope: number): string[] => [
  `custom/${scope}/`,
  `archive/events/scope=${scope}/`,
  `${LEARNING_PREFIX}${scope}/`,
  `sinks/${scope}/`,
];

/** A place among the files of a project: the number of the prefix, and a key. */
export interface FilePlace {
  prefix: number;
  after?: string;
}

/** Copies the next files. @returns where to continue; undefined: that was all */
export async function copyFiles(
  source: R2Bucket,
  target: R2Bucket,
  scopes: readonly number[],
  { prefix, after }: FilePlace,
): Promise<FilePlace | undefined> {
  const prefixes = scopes.flatMap(filePrefixes);
  if (prefix >= prefixes.length) {
    for (const scope of scopes) await copyFile(source, target, stateKey(scope));
    return undefined;
  }
  const { objects, truncated } = await source.list({
    prefix: prefixes[prefix],
    limit: AT_ONCE,
    ...(after !== undefined && { startAfter: after }),
  });
  await Promise.all(objects.map(({ key }) => copyFile(source, target, key)));
  return truncated ? { prefix, after: objects[objects.length - 1].key } : { prefix: prefix + 1 };
}

/** Copies a file that the target does not have; a newer one there stays. */
async function copyFile(source: R2Bucket, target: R2Bucket, key: string): Promise<void> {
  const object = await source.get(key);
  if (!object) return;
  const { md5 } = object.checksums;
  await target.put(key, await object.arrayBuffer(), {
    ...(object.httpMetadata && { httpMetadata: object.httpMetadata }),
    ...(object.customMetadata && { customMetadata: object.customMetadata }),
    // The target rejects other bytes than those of the source.
    ...(md5 && { md5 }),
    onlyIf: new Headers({ "if-none-match": "*" }),
  });
  // Deleted meanwhile in both: what was copied afterwards must not bring it back.
  if (!(await source.head(key))) await target.delete(key);
}

/** Deletes files in the source, once the target has them. @returns whether there may be more */
export async function deleteFiles(source: R2Bucket, target: R2Bucket, scopes: readonly number[]): Promise<boolean> {
  for (const prefix of scopes.flatMap(filePrefixes)) {
    const { objects } = await source.list({ prefix, limit: DELETED_AT_ONCE });
    if (objects.length === 0) continue;
    const keys = objects.map(({ key }) => key);
    for (let i = 0; i < keys.length; i += AT_ONCE)
      await Promise.all(
        keys.slice(i, i + AT_ONCE).map(async (key) => {
          if (!(await target.head(key))) await copyFile(source, target, key);
        }),
      );
    await source.delete(keys);
    return true;
  }
  for (const scope of scopes) {
    await copyFile(source, target, stateKey(scope));
    await source.delete(stateKey(scope));
  }
  return false;
}
