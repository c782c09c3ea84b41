import { beforeAll, describe, expect, it } from "vitest";
import { readIcon } from "../../../src/worker/answers/maps/read-icon.ts";
import { ready } from "./town.ts";

beforeAll(async () => {
  await ready();
});

const KEY = "custom/7/icons/old";

/** A bucket with one object: an icon as it was stored before pictures were drawn when they came. */
function bucketWith(file: string) {
  let object: Uint8Array = Uint8Array.from([...bytes("GICN"), 1, 2, ...bytes(file)]);
  return {
    get: async () => ({ etag: `${object.length}`, arrayBuffer: async () => new Uint8Array(object).buffer }),
    async put(key: string, value: Uint8Array, { onlyIf }: { onlyIf: { etagMatches: string } }) {
      if (key === KEY && onlyIf.etagMatches === `${object.length}`) object = value;
    },
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("an icon that was stored as SVG before pictures were drawn when they came", () => {
  it("is drawn once, as an upload is, and kept that way", async () => {
    const bucket = bucketWith(
      '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="64"><rect width="128" height="64" fill="red"/></svg>',
    );
    const first = await readIcon(bucket, KEY);
    expect(first).toMatchObject({ width: 64, height: 32 });
    expect(new Uint8Array(await (await bucket.get()).arrayBuffer())[4]).toBe(2);
    expect(await readIcon(bucket, KEY)).toEqual(first);
  });

  it("is refused when an upload of it would be", async () => {
    const bucket = bucketWith('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><filter id="a"/></svg>');
    await expect(readIcon(bucket, KEY)).rejects.toThrow("no <filter>");
  });
});
