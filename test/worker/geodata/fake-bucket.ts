import { createHash } from "node:crypto";
import type { ObjectBucket, StoredObject } from "../../../src/worker/geodata/object-bucket.ts";

/** As much of an R2 bucket as the geodata room uses, counting what is asked of it. */
export class FakeBucket implements ObjectBucket {
  readonly objects = new Map<string, Uint8Array>();
  readonly asked: string[] = [];
  /** Called before each answer; lets a test hold reads back. */
  pause: () => Promise<void> = async () => {};

  put(key: string, content: string | Uint8Array): void {
    this.objects.set(key, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  async get(key: string, options?: Parameters<ObjectBucket["get"]>[1]): Promise<StoredObject | null> {
    this.asked.push(key);
    await this.pause();
    const whole = this.objects.get(key);
    if (!whole) return null;
    const etag = createHash("md5").update(whole).digest("hex");
    const { etagDoesNotMatch, etagMatches } = options?.onlyIf ?? {};
    if (etagDoesNotMatch === etag || (etagMatches !== undefined && etagMatches !== etag)) return { etag };
    const { offset, length } = options?.range ?? { offset: 0, length: whole.length };
    return { etag, arrayBuffer: async () => new Uint8Array(whole.slice(offset, offset + length)).buffer };
  }
}
