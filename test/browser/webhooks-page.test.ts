import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, get, makeWorld, post, put, sql, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/** What became of a webhook's messages, and what can be done about it. */
let world: World;
let person: Person;
let driver: Driver;
let webhook: string;
let events: string[];

const secret = () => world.keys.testSecret;

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld();
  await put("/v1/geofences/store/mitte", secret(), {
    description: "Store Mitte",
    type: "circle",
    coordinates: [13.3777, 52.5163],
    radius: 120,
  });
  // Nobody answers there.
  const made = await post("/v1/webhooks", secret(), {
    url: "https://hooks.example.com/x",
    description: "The warehouse",
  });
  webhook = made.body.webhook._id;
  for (const deviceId of ["phone-1", "phone-2"])
    await post("/v1/track", world.keys.testPublishable, {
      deviceId,
      latitude: 52.5163,
      longitude: 13.3777,
      accuracy: 5,
      foreground: true,
    });
  const { body } = await eventually(
    () => get("/v1/events", secret()),
    ({ body }) => body.events.length === 2,
  );
  events = body.events.map(({ _id }: { _id: string }) => _id);
  const now = Date.now();
  for (const [i, id] of events.entries()) {
    const json = JSON.stringify({ event: body.events[i] });
    await sql(
      "INSERT INTO dead_letter VALUES (?, ?, ?, NULL, ?, ?, 9, 'the receiver answered 500', ?, ?)",
      ...[
        world.id * 2,
        webhook,
        id,
        JSON.stringify([{ id, type: "user.entered_geofence" }]),
        json,
        now - 90_000_000 - i,
      ],
      now - 3_600_000,
    );
  }
  person = await Person.of(world);
  driver = person.driver;
});

afterAll(() => driver?.close());

const dead = async () => (await get(`/v1/webhooks/${webhook}/dead-letters`, secret())).body.deadLetters.length;

describe.skipIf(!CHROMIUM)("a person at a webhook that failed", { timeout: 90_000, ...AGAIN }, () => {
  it("sees its dead letters with the reason and what was sent, and replays one", async () => {
    await person.open(`/webhooks?webhook=${webhook}&part=dead`, "The warehouse");
    await driver.click(".drawer [role=tab]", "Dead letters");
    await driver.text("2 messages");
    await driver.text("the receiver answered 500");
    await driver.click(".drawer details.delivery summary");
    await driver.text("9 attempts; last failure: the receiver answered 500");
    await driver.text('"type": "user.entered_geofence"');
    await driver.shot("webhook-dead-letters-wide-light");
    expect(await driver.axe()).toEqual([]);
    await driver.click(".drawer button", "Replay this message");
    await driver.text("1 message will be retried");
    expect(await eventually(dead, (count) => count === 1)).toBe(1);
    driver.errors();
  });

  it("replays all that are left, and the page says that there is none", async () => {
    await person.open(`/webhooks?webhook=${webhook}`, "The warehouse");
    await driver.click(".drawer [role=tab]", "Dead letters");
    await driver.text("1 message");
    await driver.click(".drawer button", "Replay all");
    await driver.text("No dead letters");
    expect(await dead()).toBe(0);
    driver.errors();
  });

  it("sees each try with the headers that were sent, without a signature, and what came back", async () => {
    await eventually(
      () => get(`/v1/webhooks/${webhook}/deliveries`, secret()),
      ({ body }) => body.deliveries.length > 0,
      20_000,
    );
    await person.open(`/webhooks?webhook=${webhook}`, "The warehouse");
    await driver.click(".drawer [role=tab]", "Deliveries");
    await driver.click(".drawer details.delivery summary");
    await driver.text("webhook-timestamp: ");
    const body = await driver.eval<string>("document.querySelector('.drawer details[open]').innerText");
    expect(body).toMatch(
      /content-type: application\/json\nuser-agent: Graticule-Webhooks\/1\nwebhook-id: [0-9a-f]{24,}\n/,
    );
    expect(body).not.toMatch(/v1,[A-Za-z0-9+/]{20}/);
    await driver.shot("webhook-delivery-wide-light");
    expect(await driver.axe()).toEqual([]);
    driver.errors();
  });
});

describe.skipIf(!CHROMIUM)("a person who adds what takes events", { timeout: 90_000, ...AGAIN }, () => {
  const address = "https://kafka-rest.example.com/";
  const SINKS: [type: string, fields: [label: string, text: string][], stored: object][] = [
    [
      "webhook",
      [
        ["URL", "https://hooks.example.com/slack"],
        ["Template", '{"text": "{{event.type}}"}'],
        ["Headers", "authorization: Bearer secret"],
      ],
      { settings: { template: '{"text": "{{event.type}}"}', secrets: ["headers.authorization"] } },
    ],
    [
      "kafka",
      [
        ["URL", address],
        ["Topic", "moves"],
        ["Cluster", "cluster-1"],
      ],
      { url: address, settings: { topic: "moves", clusterId: "cluster-1" } },
    ],
    [
      "mqtt",
      [
        ["URL", "wss://broker.example.com/mqtt"],
        ["Topic", "sites/{{event.type}}"],
        ["User name", "graticule"],
        ["Password", "open sesame"],
      ],
      { settings: { topic: "sites/{{event.type}}", username: "graticule", secrets: ["password"] } },
    ],
    [
      "bucket",
      [
        ["Prefix", "events"],
        ["Seconds per object", "30"],
      ],
      { settings: { prefix: "events", seconds: 30 } },
    ],
  ];
  const looks = SINKS.map(([type, fields, stored], i) => ({
    type,
    fields,
    stored,
    isNarrow: i % 2 === 1,
    isDark: i > 1,
  }));

  it.each(looks)(
    "makes one of type $type with the fields that it has, and secrets are not shown again",
    async (look) => {
      const { type, fields, stored, isNarrow, isDark } = look;
      await driver.look(isNarrow ? 390 : 1400, isDark ? "dark" : "light");
      await person.open("/webhooks?webhook=new", "Webhooks");
      await person.fill("Type", type);
      for (const [label, text] of fields) await person.fill(label, text);
      await driver.shot(`webhook-new-${type}-${isNarrow ? "narrow" : "wide"}-${isDark ? "dark" : "light"}`);
      expect(await driver.axe()).toEqual([]);
      await driver.click("[role=dialog] button[type=submit], dialog button[type=submit]", "Add");
      const { body } = await eventually(
        () => get("/v1/webhooks", secret()),
        ({ body }) =>
          body.webhooks.some((one: { type: string; settings?: object }) => one.type === type && one.settings),
      );
      const made = body.webhooks.find((one: { type: string; settings?: object }) => one.type === type && one.settings);
      expect(made).toMatchObject({ type, ...stored });
      expect(JSON.stringify(made)).not.toMatch(/open sesame|Bearer secret/);
      driver.errors();
    },
  );

  it("is told by the deployment that it has no queue, whatever was typed as the address before", async () => {
    await driver.look(1400, "light");
    await person.open("/webhooks?webhook=new", "Webhooks");
    await person.fill("URL", "https://hooks.example.com/x");
    await person.fill("Type", "queue");
    await driver.click("[role=dialog] button[type=submit], dialog button[type=submit]", "Add");
    await driver.text("EVENTS_QUEUE");
    await driver.shot("webhook-new-queue-wide-light");
    driver.errors();
  });
});
