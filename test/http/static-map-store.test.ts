import { beforeAll, describe, expect, it } from "vitest";
import type { Env } from "../../src/env.ts";
import { getIcon } from "../../src/http/maps/static-map-store.ts";
import { ready } from "../maps/town.ts";

beforeAll(async () => {
  await ready();
});

/** A bucket with one object: an icon as it was stored before pictures were drawn when they came. */
function bucketWith(file: string) {
  const objects = new Map([["custom/7/icons/old", Uint8Array.from([...bytes("GICN"), 1, 2, ...bytes(file)])]]);
  const GEODATA = {
    async get(key: string) {
      const found = objects.get(key);
      return found ? { etag: `${found.length}`, arrayBuffer: async () => found.slice().buffer } : null;
    },
    async put(key: string, value: Uint8Array, { onlyIf }: { onlyIf: { etagMatches: string } }) {
      if (onlyIf.etagMatches === `${objects.get(key)?.length}`) objects.set(key, value);
    },
  };
  return { objects, env: { GEODATA } as unknown as Env };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("an icon that was stored as SVG before pictures were drawn when they came", () => {
  it("is drawn once, as an upload is, and kept that way", async () => {
    const { env, objects } = bucketWith(
      '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="64"><rect width="128" height="64" fill="red"/></svg>',
    );
    const first = await getIcon(env, 7, "old");
    expect(first).toMatchObject({ width: 64, height: 32 });
    expect(objects.get("custom/7/icons/old")?.[4]).toBe(2);
    expect(await getIcon(env, 7, "old")).toEqual(first);
  });

  it("is refused when an upload of it would be", async () => {
    const { env } = bucketWith('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><filter id="a"/></svg>');
    await expect(getIcon(env, 7, "old")).rejects.toThrow("no <filter>");
  });
});
