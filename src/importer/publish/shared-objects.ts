import { createHash } from "node:crypto";
import { buildKey, type Manifest, type ObjectList } from "../../core/geo/builds/manifest.ts";
import type { StagedObject } from "../frame/stores/staged-index.ts";
import type { Bucket } from "./bucket.ts";

/** Uploaded objects of a build, and those that already existed [objects, bytes]. */
export interface Sent {
  uploaded: { objects: number; bytes: number };
  /** Taken over from another build of the name, with no upload. */
  shared: { objects: number; bytes: number };
}

/**
 * Objects of builds that are in the bucket, by content: what a new build has in common with them is copied there, not sent. An
 * object counts when the list of its build, and the size in the bucket, say that it is the same.
 */
export class SharedObjects {
  /** SHA-256 and length → key in the bucket. */
  readonly #keys = new Map<string, string>();

  static async of(bucket: Bucket, ids: readonly string[]): Promise<SharedObjects> {
    const all = new SharedObjects();
    for (const id of ids) await all.#add(bucket, id);
    return all;
  }

  /** A build whose list is not what its manifest says has nothing to give. */
  async #add(bucket: Bucket, id: string): Promise<void> {
    const [manifest, list] = await Promise.all(
      ["manifest.json", "objects.json"].map((name) => bucket.get(buildKey(id, name))),
    );
    if (!manifest || !list) return;
    try {
      const { objectsSha256 } = JSON.parse(Buffer.from(manifest.bytes).toString("utf8")) as Manifest;
      if (createHash("sha256").update(list.bytes).digest("hex") !== objectsSha256) return;
      const objects = JSON.parse(Buffer.from(list.bytes).toString("utf8")) as ObjectList;
      const there = await bucket.list(buildKey(id, ""));
      for (const key in objects) {
        const [length, sha256] = objects[key];
        const whole = buildKey(id, key);
        if (there.get(whole) === length) this.#keys.set(nameOf(sha256, length), whole);
      }
    } catch {
      // A manifest that is no JSON: the build is damaged, and gives nothing.
    }
  }

  /** Where the content is already; undefined when it is nowhere. */
  keyOf({ sha256, length }: StagedObject): string | undefined {
    return this.#keys.get(nameOf(sha256, length));
  }
}

const nameOf = (sha256: string, length: number) => `${sha256} ${length}`;
