import { describe, expect, it } from "vitest";
import {
  databaseNames,
  envIn,
  envOf,
  everyResidence,
  hasJurisdictions,
  movingFrom,
  movingOf,
} from "../../../src/worker/db/databases.ts";
import { bucketWithFallback } from "../../../src/worker/platform/fallback-bucket.ts";
import { compareBindings, isDatabaseBinding, jurisdictionOf } from "../../../src/worker/platform/jurisdiction.ts";
import { projectBucket, residenceOf, unrestricted } from "../../../src/worker/platform/residence.ts";

/** A namespace that says where it is asked; `how`: as on Cloudflare, as in workerd, or with an error. */
function namespace(how: "cloudflare" | "workerd" | "broken", place = ""): object {
  return {
    idFromName: (name: string) => `${place}:${name}`,
    get: (id: string) => id,
    jurisdiction(wanted: string) {
      if (how === "workerd") throw new Error("Jurisdiction restrictions are not implemented in workerd.");
      if (how === "broken") throw new TypeError("unknown jurisdiction");
      return namespace(how, wanted);
    },
  };
}

const NAMES = [
  ...["CAMPAIGN_INDEX", "DATABASE_WRITER", "DEVICE_TRACKER", "GEOCODE_JOBS", "GEOFENCE_INDEX", "LIVE_FEED"],
  ...["MEETING_CELL", "RATE_LIMITER", "WEBHOOK_SENDER"],
];
type Env = Parameters<typeof projectBucket>[0] & {
  DB: D1Database;
  COMMON_DB?: D1Database;
  ALERT_WATCH?: object;
  DB_EU?: D1Database;
};

function deployment(how: Parameters<typeof namespace>[0], more: object = {}): Env {
  const namespaces = Object.fromEntries([...NAMES, "ALERT_WATCH"].map((name) => [name, namespace(how)]));
  const rest = { DB: "DB", DB_2: "DB_2", DB_EU: "DB_EU", DB_US: "DB_US", GEODATA: "geodata", BUCKET_EU: "eu" };
  return { ...rest, ...namespaces, ...more } as unknown as Env;
}

const idIn = (env: Env, name: string) =>
  (env as unknown as Record<string, { idFromName(name: string): string }>)[name].idFromName("7:phone");

describe("the environment of a project", () => {
  it("reaches objects and files in its jurisdiction only", () => {
    const env = deployment("cloudflare");
    const eu = envIn(env, "DB_EU");
    for (const name of NAMES) expect([name, idIn(eu, name)]).toEqual([name, "eu:7:phone"]);
    expect([eu.DB, eu.COMMON_DB, projectBucket(eu)]).toEqual(["DB_EU", "DB", "eu"]);
    // The deployment's own, and geodata, stay where they are.
    expect([idIn(eu, "ALERT_WATCH"), eu.GEODATA]).toEqual([":7:phone", "geodata"]);
    expect(idIn(envIn(env, "DB_US"), "DEVICE_TRACKER")).toBe("us:7:phone");
  });

  it("has this machine's bucket in a helper process, which has no objects", () => {
    const { GEODATA, DB_EU } = deployment("workerd");
    const helper = { GEODATA, DB_EU, MAIN: {}, BUCKET_EU: "eu" } as unknown as Env;
    expect(projectBucket(envIn(helper, "DB_EU"))).toBe("geodata");
  });

  it("is the platform's own without a jurisdiction, and one object for each database", () => {
    const env = deployment("cloudflare");
    expect(envIn(env, "DB")).toBe(env);
    expect(envIn(envIn(env, "DB_EU"), "DB")).toBe(env);
    expect(envIn(env, "DB_EU")).toBe(envIn(env, "DB_EU"));
    const second = envIn(env, "DB_2");
    for (const name of NAMES) expect([name, idIn(second, name)]).toEqual([name, ":7:phone"]);
    expect(projectBucket(second)).toBe("geodata");
    expect(unrestricted(envIn(env, "DB_US"))).toBe(env);
    expect(databaseNames(env)).toEqual(["DB", "DB_2", "DB_EU", "DB_US"]);
    expect(everyResidence(env).map((one) => idIn(one, "DATABASE_WRITER"))).toEqual([
      ...[":7:phone", "eu:7:phone", "us:7:phone"],
    ]);
  });

  it("asks for nothing where one database has everything", () => {
    const env = { DB: "DB", GEODATA: "geodata" } as unknown as Env;
    expect([envOf(env, 7), envIn(env, "DB"), hasJurisdictions(env)]).toEqual([env, env, false]);
    expect(hasJurisdictions(deployment("cloudflare"))).toBe(true);
  });

  it("stores nothing elsewhere if its bucket is missing, or the platform rejects the jurisdiction", () => {
    const us = envIn(deployment("cloudflare"), "DB_US");
    expect(() => projectBucket(us).get("custom/1/icons/a")).toThrow("BUCKET_US");
    expect(() => envIn(deployment("broken"), "DB_EU")).toThrow("unknown jurisdiction");
    expect(() => envIn(deployment("cloudflare"), "DB_EU_2")).toThrow("DB_EU_2");
  });

  it("has objects with other names where the platform knows no jurisdictions, and the bucket of the machine", () => {
    const eu = envIn(deployment("workerd"), "DB_EU");
    for (const name of NAMES) expect([name, idIn(eu, name)]).toEqual([name, ":eu/7:phone"]);
    expect(projectBucket(eu)).toBe("geodata");
    expect(projectBucket(envIn(deployment("workerd", { SEPARATE_BUCKETS: "true" }), "DB_EU"))).toBe("eu");
  });

  it("reads files of both buckets while a project arrives from another jurisdiction", () => {
    const bucket = (name: string) => ({ name, put() {} });
    const env = deployment("cloudflare", { GEODATA: bucket("geodata"), BUCKET_EU: bucket("eu") });
    const arriving = envIn(env, "DB_EU", "DB");
    expect([arriving.DB, projectBucket(arriving) === projectBucket(envIn(env, "DB_EU"))]).toEqual(["DB_EU", false]);
    expect(envIn(env, "DB_EU", "DB")).toBe(arriving);
    expect(envIn(env, "DB_2", "DB")).toBe(envIn(env, "DB_2"));
    expect(movingOf(movingFrom("DB_EU"))).toEqual({ moving: true, from: "DB_EU" });
    expect([movingOf("DB_EU"), movingOf(null)]).toEqual([{ moving: true }, {}]);
  });
});

it("a Durable Object knows where it is by its id", () => {
  expect(residenceOf({ jurisdiction: "eu", name: "7:a" })).toEqual({ jurisdiction: "eu", name: "7:a" });
  expect(residenceOf({ name: "us/7:a/b" })).toEqual({ jurisdiction: "us", name: "7:a/b" });
  // Names of devices are their apps'.
  expect(residenceOf({ name: "7:eu/a" })).toEqual({ jurisdiction: undefined, name: "7:eu/a" });
  expect(residenceOf({ name: "3" })).toEqual({ jurisdiction: undefined, name: "3" });
});

it("the binding of a database names its jurisdiction", () => {
  const names = ["DB_US", "DB_10", "DB_EU_2", "DB_2", "DB", "DB_EU"];
  expect(names.sort(compareBindings)).toEqual(["DB", "DB_2", "DB_10", "DB_EU", "DB_EU_2", "DB_US"]);
  expect(names.map(jurisdictionOf)).toEqual([undefined, undefined, undefined, "eu", "eu", "us"]);
  expect(["DB_0", "DB_FR", "DB_EU_0", "OTHER", "DB_eu"].filter(isDatabaseBinding)).toEqual([]);
});

/** A bucket in memory, as far as it is used here. */
class Memory {
  readonly objects = new Map<string, string>();
  constructor(...keys: string[]) {
    for (const key of keys) this.objects.set(key, key);
  }
  async get(key: string) {
    return this.objects.get(key) ?? null;
  }
  async head(key: string) {
    return this.objects.has(key) ? { key } : null;
  }
  async put(key: string, value: string) {
    this.objects.set(key, value);
  }
  async delete(keys: string | string[]) {
    for (const key of [keys].flat()) this.objects.delete(key);
  }
  async list({ prefix = "", limit = 1000, startAfter = "" }: { prefix?: string; limit?: number; startAfter?: string }) {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > startAfter).sort();
    const objects = keys.slice(0, limit).map((key) => ({ key }));
    return { objects, delimitedPrefixes: [], truncated: keys.length > limit };
  }
}

it("a bucket with the files of two lists each once, in order and page by page", async () => {
  for (const [here, former] of [
    [
      ["a/1", "a/5", "a/9"],
      ["a/2", "a/3", "a/5", "a/8", "b/1"],
    ],
    [[], ["a/1", "a/2", "a/3"]],
    [["a/1", "a/2", "a/3"], []],
    [[], []],
  ]) {
    const both = bucketWithFallback(
      new Memory(...here) as unknown as R2Bucket,
      new Memory(...former) as unknown as R2Bucket,
    );
    const found: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await both.list({ prefix: "a/", limit: 2, ...(cursor && { cursor }) });
      found.push(...page.objects.map(({ key }) => key));
      more = page.truncated;
      if (page.truncated) cursor = page.cursor;
    }
    expect(found).toEqual([...new Set([...here, ...former])].filter((key) => key.startsWith("a/")).sort());
  }
});

it("a bucket with the files of two writes to one, reads either and deletes in both", async () => {
  const [here, former] = [new Memory("x"), new Memory("x", "y", "z")];
  const both = bucketWithFallback(here as unknown as R2Bucket, former as unknown as R2Bucket);
  expect([await both.get("y"), await both.get("n"), (await both.head("z"))?.key]).toEqual(["y", null, "z"]);
  await both.put("new", "1");
  await both.delete(["x", "y"]);
  expect([[...here.objects.keys()], [...former.objects.keys()]]).toEqual([["new"], ["z"]]);
});
