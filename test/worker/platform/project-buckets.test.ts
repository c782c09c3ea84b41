import { expect, it } from "vitest";
import type { Bucket, BucketObject } from "../../../src/importer/publish/bucket.ts";
import { joinBuckets } from "../../../src/server/geodata/project-buckets.ts";

/** A bucket in memory, as far as it is used here. */
function memory(...keys: string[]) {
  const objects = new Map<string, Uint8Array>(keys.map((key) => [key, new Uint8Array(1)]));
  const bucket = {
    where: "memory",
    get: async (key: string) => objects.get(key) && { bytes: objects.get(key), etag: "" },
    list: async (prefix: string) =>
      new Map([...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => [key, 1])),
    folders: async () => [],
    put: async (key: string, bytes: Uint8Array) => {
      objects.set(key, bytes);
      return true;
    },
    putMany: async (all: AsyncIterable<BucketObject>) => {
      for await (const { key, bytes } of all) objects.set(key, bytes);
    },
    delete: async (gone: readonly string[]) => gone.forEach((key) => void objects.delete(key)),
    close() {},
  };
  return { bucket: bucket as unknown as Bucket, keys: () => [...objects.keys()].sort() };
}

it("a deployment's backup has the files of all jurisdictions, and restores each where its project is", async () => {
  const [shared, eu] = [memory("live.json", "custom/4/icons/a"), memory("custom/14/icons/a", "learning/states/15")];
  const homes = new Map([
    [2, "DB"],
    [7, "DB_EU"],
  ]);
  const both = joinBuckets(shared.bucket, new Map([["eu", eu.bucket]]), (project) => homes.get(project));
  expect([...(await both.list("custom/")).keys()].sort()).toEqual(["custom/14/icons/a", "custom/4/icons/a"]);
  expect(await both.get("custom/14/icons/a")).toBeDefined();
  expect(await both.get("custom/99/icons/a")).toBeUndefined();
  const restored = ["live.json", "custom/5/styles/b", "custom/14/styles/b", "learning/states/15", "learning/15/x"];
  restored.push("archive/events/scope=15/day=2026-11-01/types-x.parquet", "learned/1/x", "builds/b/14/x");
  await both.putMany(
    (async function* () {
      for (const key of restored) yield { key, bytes: new Uint8Array(2) };
    })(),
    () => {},
  );
  await both.put("custom/15/icons/c", new Uint8Array(1));
  expect(eu.keys()).toEqual([
    ...["archive/events/scope=15/day=2026-11-01/types-x.parquet", "custom/14/icons/a", "custom/14/styles/b"],
    ...["custom/15/icons/c", "learning/15/x", "learning/states/15"],
  ]);
  expect(shared.keys()).toEqual([
    ...["builds/b/14/x", "custom/4/icons/a", "custom/5/styles/b", "learned/1/x", "live.json"],
  ]);
  await both.delete(["custom/14/icons/a", "live.json"]);
  expect([...eu.keys(), ...shared.keys()]).not.toContain("custom/14/icons/a");
  expect(joinBuckets(shared.bucket, new Map(), () => undefined)).toBe(shared.bucket);
});
