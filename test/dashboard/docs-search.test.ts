import { describe, expect, it } from "vitest";
import { entriesOf, search, stemOf } from "../../src/dashboard/docs/search.ts";
import { ACTIONS, WORDS } from "../../src/dashboard/frame/page-words.ts";
import { readGuides } from "../../src/server/docs/build-docs.ts";

const operation = (operationId: string, summary: string) => ({ operationId, summary });
const reference = entriesOf({
  paths: {
    "/v1/webhooks": {
      get: operation("listWebhooks", "Lists the webhooks."),
      post: operation("createWebhook", "Creates a webhook."),
    },
    "/v1/webhooks/:id/dead-letters": { get: operation("listDeadLetters", "Lists dead letters, newest first.") },
    "/v1/geofences": { get: operation("listGeofences", "Lists geofences, newest first.") },
    "/v1/trips": { get: operation("listTrips", "Lists trips."), post: operation("createTrip", "Creates a trip.") },
    "/v1/beacons": { get: operation("listBeacons", "Lists beacons.") },
    "/v1/route/directions": { get: operation("directions", "Returns routes.") },
  },
});
const guides = readGuides().flatMap(({ name, title, sections }) =>
  sections.map((section) => ({
    page: title,
    href: `/docs/${name}#${section.id}`,
    title: section.title,
    text: section.text,
  })),
);
const found = (query: string) => search([...reference, ...guides], query).map(({ href }) => href);

describe("the search of the documentation", () => {
  it.each(["webhook", "webhooks", "trips", "geofences", "beacon", "maps", "fraud", "geocoding"])(
    "shows a guide before the endpoints for the topic “%s”",
    (topic) => {
      expect(found(topic)[0]).toMatch(/^\/docs\/[a-z]/);
    },
  );

  it("finds headings by other forms of a word", () => {
    expect(found("webhook retry").slice(0, 3)).toContain("/docs/webhooks#retries-and-dead-letters");
    expect(
      ["Retries", "retry", "tracked", "geofences", "status", "address", "addresses", "setting", "settings"].map(
        (word) => stemOf(word.toLowerCase()),
      ),
    ).toEqual(["retr", "retr", "track", "geofenc", "statu", "address", "address", "sett", "sett"]);
  });

  it.each([
    ["verify signature", /webhooks/],
    ["invite member", /dashboard|getting-started|self-hosting/],
    ["simulator", /dashboard|simul|test/],
    ["dark mode", /maps|dashboard/],
    ["rotate key", /dashboard|getting-started|security|keys|tokens/],
    ["delete a user", /insights|users|privacy/],
    ["retry failed webhooks", /webhooks/],
    ["price of a month", /pricing/],
    ["restore backup", /self-hosting|backup|disaster|outages/],
    ["late trips", /trips/],
    ["upload beacons", /beacons|import|configuration/],
    ["throttling", /limit|getting-started|errors|self-hosting|migrat/],
    ["fake location", /fraud/],
    ["connect chatgpt", /agents/],
    ["password login", /dashboard/],
    ["approaching", /trips/],
    ["draw a circle", /dashboard|geofenc/],
    ["create a circle geofence", /geofenc/],
    ["mileage report", /journeys/],
    ["print logbook", /journeys/],
    ["share link of a courier", /trips/],
    ["reset my password", /dashboard/],
    ["battery drain", /tracking-options/],
    ["undo a deployment", /deploying/],
    ["who changed a setting", /audit-log/],
    ["csv geocoding", /batch-geocoding/],
    ["move to another server", /backup/],
    ["webhook not arriving", /webhooks/],
    ["delete personal data", /learning/],
    ["how much does it cost", /pricing/],
    ["too many requests", /limits-and-errors/],
    ["walk test device", /simulator/],
    ["team permissions", /invite-a-member/],
    ["snap to road", /map-matching/],
    ["mock gps", /fraud/],
    ["offline phone", /offline/],
    ["where is my parcel", /trips/],
    ["share the location of a parcel", /trips/],
    ["how long until arrival", /trips/],
    ["remove personal data", /learning|privacy|insights|users/],
    ["erase user data", /learning|privacy|insights|users/],
  ])("finds the guide for “%s” in the first three", (query, guide) => {
    expect(found(query).slice(0, 3).join(" ")).toMatch(guide);
  });

  it.each([
    ["geofense", /geofenc/],
    ["gefoence", /geofenc/],
    ["webhok retires", /webhooks/],
    ["simulater", /simulat/],
    ["autocomlete", /geocod|autocomplete|search/],
    ["isocrone", /isochrone|rout|geofenc/],
  ])("finds the guide for “%s”, in which letters are wrong", (query, guide) => {
    expect(found(query).slice(0, 3).join(" ")).toMatch(guide);
  });

  it("does not take a complete word for the beginning of others", () => {
    expect(found("remove personal data")[0]).toMatch(/learning/);
  });

  it("corrects no word that is right, however rare, and none that is short", () => {
    expect(found("xgeo")).toEqual([]);
    const entries = ["Beacons", "Deacon"].map((title) => ({ page: "", title, href: title, text: "beacon beacon" }));
    expect(search(entries, "deacon").map(({ href }) => href)).toEqual(["Deacon"]);
  });

  it("has results for words of which the documentation has only some, and none for words that it lacks", () => {
    expect(found("zebra webhooks").length).toBeGreaterThan(0);
    expect(found("zebra crossing giraffe trips")[0]).toMatch(/trips/);
    expect(found("zebra giraffe")).toEqual([]);
  });

  it("shows endpoints first for a path, and by their name", () => {
    expect(found("/v1/trips").slice(0, 2).sort()).toEqual(["/docs#createTrip", "/docs#listTrips"]);
    expect(found("post /v1/webhooks")[0]).toBe("/docs#createWebhook");
    expect(found("listDeadLetters")).toContain("/docs#listDeadLetters");
  });

  it("finds nothing for words that no page has, and for no word", () => {
    expect([found("xylophone"), found(""), found("//")]).toEqual([[], [], []]);
  });
});

it.each([
  ["why was no event", "Why no event?"],
  ["event missing", "Why no event?"],
  ["delete user data", "users"],
  ["geofense", "geofences"],
  ["mileage", "journeys"],
])("the search of the dashboard leads from “%s” to “%s”", (query, title) => {
  const places = [
    ...Object.entries(WORDS).map(([path, words]) => ({ title: path, page: path, href: "", text: words })),
    ...ACTIONS.map(({ title, words }) => ({ title, page: title, href: "", text: words })),
  ];
  expect(search(places, query)[0]?.title).toBe(title);
});
