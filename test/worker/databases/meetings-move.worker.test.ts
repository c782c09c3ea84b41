import { expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import { call, control, del, eventually, get, type Json, post, sql, sqlIn, type World } from "../../support/world.ts";
import { openWorld } from "../http/conformance/open-world.ts";
import { beginMove, stepOf } from "./moving-project.ts";

/**
 * Users who are together while something happens to their project: they have met once, part once, and their journeys stay the same. Bert has two
 * phones, Cleo never parts, Dora is alone, and Emil is deleted.
 */
const HERE = { latitude: 48.2, longitude: 16.37 };
type Database = "DB" | "DB_2" | "DB_EU";

class Company {
  readonly #key: string;
  readonly #minutes = new Map<string, number>();

  readonly world: World;
  readonly rule: string;

  private constructor(world: World, rule: string) {
    this.world = world;
    this.rule = rule;
    this.#key = world.keys.testSecret;
  }

  static async of(database: Database): Promise<Company> {
    // Rounds of other tests are days ahead, and delete what is older.
    const world = await openWorld({ rateLimits: { track: 1000 }, retention: { updates: 30 } }, false, database);
    const { body } = await post("/v1/meetings", world.keys.testSecret, { name: "Near", radius: 100 });
    return new Company(world, body.meeting._id);
  }

  /** An update so many meters from the middle. */
  async track(userId: string, metres: number, deviceId = `phone-${userId}`): Promise<void> {
    const at = { ...destination(HERE, 90, metres), accuracy: 8 };
    const { status, body } = await post("/v1/track", this.#key, { userId, deviceId, ...at });
    expect([userId, status, body.meta]).toEqual([userId, 200, { code: 200 }]);
  }

  /** Two stops and a journey, before all else. */
  async replayMorning(userId: string): Promise<void> {
    const begin = Date.now() - 5 * 3600_000;
    const replays = Array.from({ length: 80 }, (_, i) => {
      const metres = 20_000 + Math.min(3000, Math.max(0, (i - 25) * 150));
      const updatedAt = new Date(begin + i * 30_000).toISOString();
      return { userId, deviceId: `phone-${userId}`, ...destination(HERE, 0, metres), accuracy: 8, updatedAt };
    });
    const { status } = await post("/v1/track/replay", this.#key, { replays });
    expect(status).toBe(200);
    this.#minutes.set(userId, begin);
  }

  /** "ann met bert", sorted. */
  async events(): Promise<string[]> {
    const { body } = await get("/v1/events?types=user.met_user,user.parted_from_user&limit=1000", this.#key);
    return (body.events as Json[])
      .map(({ type, user, otherUser }) => {
        const kind = type === "user.met_user" ? "met" : "parted from";
        return `${(user as Json).userId} ${kind} ${(otherUser as Json).userId}`;
      })
      .sort();
  }

  until(...expected: string[]): Promise<string[]> {
    const wanted = expected.flatMap((one) => both(one)).sort();
    return eventually(
      () => this.events(),
      (events) => JSON.stringify(events) === JSON.stringify(wanted),
    );
  }

  /** Undefined where updates are not kept. */
  async journeys(): Promise<unknown> {
    const { retention } = (await get("/v1/settings", this.#key)).body;
    if ((retention as Json).updates === 1) return undefined;
    const answers = await Promise.all(
      [...this.#minutes].map(async ([userId, begin]) => {
        const range = `from=${new Date(begin - 1).toISOString()}&to=${new Date(begin + 40 * 60_000).toISOString()}`;
        const { status, body } = await get(`/v1/users/${userId}/journeys?${range}`, this.#key);
        expect(status).toBe(200);
        return body;
      }),
    );
    // Other tests bring and take the geodata of addresses.
    return JSON.parse(JSON.stringify(answers, (key, value) => (key === "address" ? undefined : value)));
  }

  /** Ann meets Bert and Cleo; Bert has two phones. */
  async meet(): Promise<void> {
    await this.replayMorning("ann");
    await this.track("dora", 5000);
    await this.track("bert", 0);
    await this.track("bert", 1, "tablet-bert");
    await this.track("cleo", 30);
    await this.track("ann", 10);
    expect(await this.until(...MET)).toEqual(MET.flatMap(both).sort());
  }

  /** Ann leaves both, who stay together; and she meets Dora. */
  async part(): Promise<void> {
    await this.track("bert", 2);
    await this.track("ann", 5000);
    await this.track("ann", 5001);
    await this.track("cleo", 31);
    const all = [...MET, "ann parted from bert", "ann parted from cleo", "ann met dora"];
    await this.until(...all);
    // Late messages would double events.
    for (const one of ["bert", "cleo", "dora", "ann"])
      await this.track(one, one === "ann" || one === "dora" ? 5002 : 3);
    expect(await this.events()).toEqual(all.flatMap(both).sort());
  }
}

const MET = ["ann met bert", "ann met cleo", "bert met cleo"];
const both = (text: string) => {
  const [first, ...words] = text.split(" ");
  const last = words.pop();
  return [text, [last, ...words, first].join(" ")];
};

/** Throws the objects of a scope out of memory. */
async function evictAll(scope: number): Promise<void> {
  const trackers = ["ann", "bert", "cleo", "dora"].map((name) => `phone-${name}`);
  for (const place of ["", "eu/"])
    for (const name of [...trackers, "tablet-bert"])
      await control("evict", { object: "DEVICE_TRACKER", name: `${place}${scope}:${name}` }).catch(() => undefined);
}

async function move({ id }: World, source: Database, target: Database): Promise<void> {
  await beginMove(id, source, target);
  await eventually(
    async () => {
      await control("scheduled", { now: Date.now(), cron: "* * * * *" });
      return stepOf(id);
    },
    (step) => step === "clean" || step === "failed",
    90_000,
  );
  expect(await stepOf(id)).toBe("clean");
}

it.each<[string, Database, Database]>([
  ["to another database", "DB_2", "DB"],
  ["out of a jurisdiction", "DB_EU", "DB_2"],
  ["to a jurisdiction", "DB_2", "DB_EU"],
])(
  "a project that moves %s",
  async (_, source, target) => {
    const company = await Company.of(source);
    const { world } = company;
    await company.meet();
    const before = await company.journeys();
    expect(JSON.stringify(before)).toContain('"type":"journey"');
    await move(world, source, target);
    await evictAll(world.id * 2);
    expect(await company.journeys()).toEqual(before);
    await company.part();
    expect(await company.journeys()).toEqual(before);
    // And back, a quarter of an hour later.
    await sql("UPDATE project_move SET changed_at = changed_at - 900000 WHERE project = ?", world.id);
    await eventually(
      async () => {
        await control("scheduled", { now: Date.now(), cron: "* * * * *" });
        return stepOf(world.id);
      },
      (step) => step === "done",
      60_000,
    );
    const { length } = await company.events();
    await company.track("cleo", 900);
    await eventually(
      () => company.events(),
      (events) => events.length === length + 2,
    );
    expect(
      (await company.events()).filter((one) => /cleo parted from bert|bert parted from cleo/.test(one)).length,
    ).toBe(2);
  },
  300_000,
);

it.each<[string, (company: Company) => Promise<unknown>]>([
  ["objects are evicted", ({ world }) => evictAll(world.id * 2)],
  [
    "tracking options change, and back",
    async ({ world: { keys } }) => {
      for (const accuracyLimit of [5, 2000]) {
        const json = { tracking: { accuracyLimit, stopDetection: accuracyLimit === 5, exitDelay: 30 } };
        expect((await call("PATCH", "/v1/settings", { key: keys.testSecret, json })).status).toBe(200);
      }
    },
  ],
  [
    "updates are kept for one day, and the hourly round runs",
    async ({ world: { keys } }) => {
      const json = { retention: { updates: 1, events: 30 } };
      expect((await call("PATCH", "/v1/settings", { key: keys.testSecret, json })).status).toBe(200);
      await control("scheduled", { now: Date.now() });
    },
  ],
  [
    "the rule is renamed",
    async ({ world: { keys }, rule }) =>
      call("PATCH", `/v1/meetings/${rule}`, { key: keys.testSecret, json: { name: "Nearer" } }),
  ],
  [
    "one of the two phones of a user is deleted with a user of the same name",
    async (company) => {
      await company.track("emil", 12);
      await company.until(...MET, "emil met ann", "emil met bert", "emil met cleo");
      expect((await del("/v1/users/emil", company.world.keys.testSecret)).status).toBe(200);
      // Events of others that name him stay.
      for (const { _id, otherUser } of (await get("/v1/events?limit=1000", company.world.keys.testSecret)).body.events)
        if (otherUser?.userId === "emil") await del(`/v1/events/${_id}`, company.world.keys.testSecret);
    },
  ],
])(
  "users who are together while %s part once",
  async (_, happens) => {
    const company = await Company.of("DB");
    await company.meet();
    const before = await company.journeys();
    await happens(company);
    await company.part();
    expect((await company.journeys()) ?? before).toEqual(before);
  },
  120_000,
);

it("events of meetings that are archived are the same", async () => {
  const company = await Company.of("DB");
  await company.meet();
  const scope = company.world.id * 2;
  const before = await company.events();
  // Older events, as a round days ahead archives those of other tests, too.
  const age = 8 * 24 * 3600_000;
  await sql(
    `UPDATE event SET created_at = created_at - ?1, doc = json_set(doc, '$.createdAt', doc ->> '$.createdAt' - ?1,
       '$.actualCreatedAt', doc ->> '$.actualCreatedAt' - ?1) WHERE scope = ?2`,
    ...[age, scope],
  );
  await control("scheduled", { now: Date.now() });
  await eventually(
    () => sqlIn("DB", "SELECT id FROM event WHERE scope = ?", scope),
    (rows) => rows.length === 0,
  );
  expect(await company.events()).toEqual(before);
  await company.part();
}, 120_000);
