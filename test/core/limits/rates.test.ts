import { describe, expect, it } from "vitest";
import { AddressBuckets, addressGroup } from "../../../src/core/limits/address.ts";
import { readCapped } from "../../../src/core/limits/capped-body.ts";
import { addressOfPeer, clientAddress, isTrusted, parseProxies } from "../../../src/core/limits/client-address.ts";
import { chargeHourly, fullHour, hourlyWait, takeHourly } from "../../../src/core/limits/hourly.ts";
import { checkOutgoingUrl } from "../../../src/core/limits/outgoing-url.ts";
import {
  addressRateOf,
  CREATION_LIMITS,
  INGEST_RATE_PER_DEVICE,
  IP_GEOCODE_RATE_PER_DEVICE,
  LIMITED_ENDPOINTS,
  periodOf,
  rateLimitOf,
  TRACK_RATE_PER_DEVICE,
} from "../../../src/core/limits/table.ts";

/** Stored settings of projects have these names: none is ever renamed. */
const NAMES = `
  autocomplete autocompleteClick cancelGeocodeJob cancelRouteJob computing config context createBeacon createCampaign createFleetJob createGeocodeJob
  createGeofence createMatchJob createMeeting createSegment createTrip createWebhook deleteBeacon deleteBeaconById deleteCampaign deleteEvent
  deleteGeocodeJob deleteGeofence deleteGeofenceById deleteMapIcon deleteMapStyle deleteMeeting deleteRouteJob deleteSegment deleteTrip deleteUser
  deleteWebhook directions distance elevation explain explainCampaign explainEvent exportEvents exportGeofences exportTrips exportUser exportUsers
  forwardGeocode geocodeBatch geofenceUsers geofenceUsersById getAddress getAsset getBeacon getBeaconById getBeaconImport getCampaign getEtaStats
  getEvent getGeocodeJob getGeocodeJobResult getGeofence getGeofenceById getGeofenceImport getJourneyStats getMapStyle getMeeting getPlace getRouteJob
  getRouteJobResult getSegment getSettings getStats getTrip getUser getWebhook health importBeacons importGeofences ipGeocode isochrone
  listBeaconImports listBeacons listCampaigns listDeadLetters listEvents listGeocodeJobs listGeofenceImports listGeofences listLiveGeodata
  listMapIcons listMapStyles listMeetings listRouteJobs listSegmentUsers listSegments listTripShares listTrips listUserJourneys listUserUpdates
  listUsers listWebhooks live logConversion logs mapGlyphs mapMarker mapSprite mapStyle mapTile mapTileJson match matrix newEvents newMegabytes
  newMegabytesPerDevice newTrips newUsers optimize optimizeFleet patchSettings postConfig postStaticMap previewSegment rasterTile rasterTileJson
  replayDeadLetter replayDeadLetters revealRisk reverseGeocode revokeTripShare rotateWebhookSecret routeGraph searchBeacons searchGeofences
  searchPlaces searchUsers setTripLegs setUserFraud setUserSegments shareTrip signMap staticMap syncRegion testWebhook track tripRoute updateBeacon
  updateCampaign updateGeofence updateMeeting updateSegment updateTrip updateTripLeg updateWebhook uploadMapIcon uploadMapStyle upsertBeacon
  upsertGeofence validateAddress verifyEvent webhookDeliveries
`;

describe("the limits", () => {
  it.each([
    ...[
      ["track", 1],
      ["ipGeocode", 10],
      ["context", 10],
    ],
    ...[
      ["forwardGeocode", 10],
      ["reverseGeocode", 10],
      ["autocomplete", 10],
    ],
    ...[
      ["searchUsers", 100],
      ["searchGeofences", 100],
      ["searchPlaces", 150],
      ["validateAddress", 100],
    ],
    ...[
      ["distance", 100],
      ["matrix", 20],
      ["match", 10],
      ["directions", 10],
      ["optimize", 10],
    ],
  ] as [string, number][])("of %s is that of the specification: %i per second", (name, rate) => {
    expect(rateLimitOf(name)).toBe(rate);
  });

  it.each([
    ...[
      ["getPlace", 150],
      ["getAddress", 100],
      ["optimizeFleet", 2],
      ["isochrone", 10],
      ["geocodeBatch", 1000],
    ],
    ...[
      ["mapStyle", 50],
      ["mapTileJson", 50],
      ["mapTile", 500],
      ["rasterTileJson", 50],
      ["rasterTile", 500],
    ],
    ...[
      ["mapGlyphs", 200],
      ["mapSprite", 100],
      ["mapMarker", 100],
      ["listUsers", 10],
      ["getTrip", 10],
    ],
  ] as [string, number][])("of %s, where the specification has none, is %i per second", (name, rate) => {
    expect(rateLimitOf(name)).toBe(rate);
  });

  it("of a project may be others", () => {
    expect(rateLimitOf("matrix", { matrix: 7 })).toBe(7);
    expect(rateLimitOf("matrix", { matrix: 0 })).toBe(0);
    expect(rateLimitOf("matrix", { match: 7 })).toBe(20);
    expect(rateLimitOf("newUsers", { newUsers: 5 })).toBe(5);
  });

  it("have names that do not change", () => {
    expect([...LIMITED_ENDPOINTS]).toEqual(NAMES.trim().split(/\s+/));
  });

  it("of what is created count an hour, all others a second", () => {
    const megabytes = { newMegabytes: 500, newMegabytesPerDevice: 50 };
    expect(CREATION_LIMITS).toEqual({ newUsers: 10_000, newTrips: 10_000, newEvents: 20_000, ...megabytes });
    expect(rateLimitOf("newTrips")).toBe(10_000);
    expect([rateLimitOf("computing"), periodOf("computing")]).toEqual([500, "second"]);
    expect(LIMITED_ENDPOINTS.filter((name) => periodOf(name) === "hour").sort()).toEqual(
      Object.keys(CREATION_LIMITS).sort(),
    );
    expect(periodOf("toString")).toBe("second");
  });

  it("of a device are one track a second, and more where an app sends stored updates", () => {
    expect([TRACK_RATE_PER_DEVICE, IP_GEOCODE_RATE_PER_DEVICE, INGEST_RATE_PER_DEVICE]).toEqual([1, 10, 20]);
  });

  it.each([
    ...[
      ["ping", 100],
      ["jwks", 100],
      ["openapi", 20],
      ["docs", 20],
      ["signIn", 5],
      ["passkeySignIn", 5],
    ],
    ...[
      ["passkeySignInOptions", 5],
      ["somethingElse", 10],
    ],
  ] as [string, number][])("of the open endpoint %s and an address is %i per second", (name, rate) => {
    expect(addressRateOf(name)).toBe(rate);
  });
});

describe("an hourly limit", () => {
  const HOUR = 3600_000;

  it("can be used in one burst, and then as its share of the hour passes", () => {
    const bucket = fullHour(60, 0);
    expect(takeHourly(bucket, 60, 59, 0)).toEqual({ granted: 59, remaining: 1, retryAfterMs: 0 });
    expect(takeHourly(bucket, 60, 5, 0)).toEqual({ granted: 1, remaining: 0, retryAfterMs: 60_000 });
    expect(takeHourly(bucket, 60, 1, 59_999)).toMatchObject({ granted: 0, remaining: 0, retryAfterMs: 1 });
    expect(takeHourly(bucket, 60, 1, 60_000)).toMatchObject({ granted: 1 });
    expect(takeHourly(bucket, 60, 100, 60_000 + 30 * 60_000)).toMatchObject({ granted: 30 });
  });

  it("is never more than an hour's worth, however long nothing came", () => {
    const bucket = fullHour(60, 0);
    expect(takeHourly(bucket, 60, 1000, 100 * HOUR)).toMatchObject({ granted: 60, remaining: 0 });
  });

  it("is nothing where the limit is 0: ask again in an hour", () => {
    expect(takeHourly(fullHour(0, 0), 0, 1, HOUR)).toEqual({ granted: 0, remaining: 0, retryAfterMs: HOUR });
  });

  it("does not grow when the clock steps back", () => {
    const bucket = fullHour(60, HOUR);
    takeHourly(bucket, 60, 60, HOUR);
    expect(takeHourly(bucket, 60, 1, 0)).toMatchObject({ granted: 0, retryAfterMs: 60_000 });
    expect(takeHourly(bucket, 60, 5, 120_000)).toMatchObject({ granted: 2 });
  });

  it("can owe tokens that were used before they were counted, and is empty until they are repaid", () => {
    const bucket = fullHour(60, 0);
    chargeHourly(bucket, 60, 90, 0);
    expect(hourlyWait(bucket, 60, 0)).toBe(31 * 60_000);
    expect(takeHourly(bucket, 60, 1, 30 * 60_000)).toMatchObject({ granted: 0 });
    expect(hourlyWait(bucket, 60, 31 * 60_000)).toBe(0);
    expect(hourlyWait(fullHour(0, 0), 0, HOUR)).toBe(HOUR);
  });
});

describe("calls of an address", () => {
  it("are counted apart by what is called, and by network where it is IPv6", () => {
    const buckets = new AddressBuckets();
    const granted = (ip: string, what = "ping") => buckets.take(ip, what, 1, 0).granted;
    expect([granted("192.0.2.1"), granted("192.0.2.1"), granted("192.0.2.1", "docs"), granted("192.0.2.2")]).toEqual([
      ...[1, 0, 1, 1],
    ]);
    expect([granted("2001:db8::1"), granted("2001:db8:0:0:9::2"), granted("2001:db8:0:1::1")]).toEqual([1, 0, 1]);
  });

  it("may be looked at without being counted", () => {
    const buckets = new AddressBuckets();
    expect(buckets.look("192.0.2.1", "key", 1, 0).granted).toBe(1);
    expect(buckets.look("192.0.2.1", "key", 1, 0).granted).toBe(1);
    expect(buckets.take("192.0.2.1", "key", 1, 0).granted).toBe(1);
    expect(buckets.look("192.0.2.1", "key", 1, 0)).toMatchObject({ granted: 0, retryAfterMs: 1000 });
  });

  it("are forgotten beyond 5,000 addresses", () => {
    const buckets = new AddressBuckets();
    for (let n = 0; n < 5_000; n++) buckets.take(`a${n}`, "ping", 1, 0);
    expect(buckets.take("a0", "ping", 1, 0).granted).toBe(0);
    buckets.take("one more", "ping", 1, 0);
    expect(buckets.take("a0", "ping", 1, 0).granted).toBe(1);
  });

  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:DB8:0A:b:1:2:3:4", "2001:db8:a:b"],
    ["2001:db8::", "2001:db8:0:0"],
    ["2001:db8::7:8", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["1::5:6:7:8", "1:0:0:0"],
    ["1::4:5:6:7:8", "1:0:0:4"],
    ["0000:00a0::1", "0:a0:0:0"],
  ])("%s are those of %s", (ip, group) => {
    expect(addressGroup(ip)).toBe(group);
  });
});

describe("proxies", () => {
  const proxies = () => parseProxies("10.0.0.0/8");

  it("of which the last ten are looked at: what a client writes before them costs nothing", () => {
    const chain = (length: number) => Array.from({ length }, (_, n) => `10.0.0.${length - n}`).join();
    expect(clientAddress("10.9.9.9", `203.0.113.9,${chain(9)}`, proxies())).toBe("203.0.113.9");
    expect(clientAddress("10.9.9.9", `203.0.113.9,${chain(10)}`, proxies())).toBe("10.0.0.10");
  });

  it("have names of up to 64 characters", () => {
    const trusted = parseProxies("fe80::/10");
    const zoned = (length: number) => `fe80::1%${"e".repeat(length - 8)}`;
    expect([64, 65].map((length) => isTrusted(zoned(length), trusted))).toEqual([true, false]);
  });

  it("are remembered, a thousand of them", () => {
    const trusted = proxies();
    for (let n = 0; n < 1_000; n++) isTrusted(`10.0.${n >> 8}.${n & 255}`, trusted);
    expect(trusted.known.size).toBe(1_000);
    isTrusted("10.1.0.0", trusted);
    expect([trusted.known.size, trusted.known.has("10.0.0.0"), trusted.known.has("10.1.0.0")]).toEqual([
      1_000,
      false,
      true,
    ]);
  });

  it.each([
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:DB8:0::1]:80", "2001:db8::1"],
    ["1.2.3:80", "1.2.3:80"],
    ["nothing", "nothing"],
    ["", ""],
  ])("the peer %j is %j", (peer, address) => {
    expect(addressOfPeer(peer)).toBe(address);
  });
});

describe("a name within networks", () => {
  it.each([
    ...["localhost", "test", "invalid", "example", "local", "onion", "arpa", "alt", "internal", "intranet", "private"],
    ...["corp", "home", "lan", "mail", "localdomain", "domain", "localnet", "priv", "workgroup", "dhcp", "belkin"],
    ...["router", "gateway", "ip", "fritz.box", "svc", "cluster", "kube", "k8s", "consul", "nomad", "mesos", "docker"],
    ...["metadata.goog", "host.containers", "containers", "host", "lima", "minikube", "rancher-desktop"],
    ...["instance-data", "metadata", "local-dev", "docker.internal", "default", "pod", "service", "node", "kubernetes"],
  ])("is not called: %s", (name) => {
    expect(checkOutgoingUrl(`https://a.${name}/`).url).toBeUndefined();
    expect(checkOutgoingUrl(`https://a.${name}.example.com/`).url).toBeDefined();
  });
});

describe("a domain whose names stand for the address in them", () => {
  it.each([
    ...["nip.io", "sslip.io", "xip.io", "xip.name", "ipq.co", "backname.io", "local-ip.co", "traefik.me"],
    ...["plex.direct", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "localho.st", "local.gd", "fuf.me"],
    ...["smackaho.st", "ulh.us", "localhost.direct", "localdev.me", "lcl.host", "yoogle.com", "127-0-0-1.org.uk"],
    ...["localcert.net", "rbndr.us", "1u.ms", "rebind.it", "rebind.network"],
  ])("is not called: %s", (domain) => {
    expect(checkOutgoingUrl(`https://a.${domain}/`).url).toBeUndefined();
    // Nothing below "host" is called.
    if (!domain.endsWith(".host")) expect(checkOutgoingUrl(`https://not${domain}/`).url).toBeDefined();
  });
});

describe("a body", () => {
  const bodyOf = (...chunks: number[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const size of chunks) controller.enqueue(new Uint8Array(size).fill(size));
        controller.close();
      },
    });

  it.each([
    [[2, 3], 5, [2, 2, 3, 3, 3], true],
    [[2, 3], 4, [2, 2, 3, 3], false],
    [[2, 3], 2, [2, 2], false],
    [[6], 5, [6, 6, 6, 6, 6], false],
    [[], 5, [], true],
  ])("of chunks %j is read up to %i bytes", async (chunks, limit, bytes, complete) => {
    expect(await readCapped(bodyOf(...chunks), limit)).toEqual({ bytes: Uint8Array.from(bytes), complete });
  });

  it("that is none is empty", async () => {
    expect(await readCapped(null, 5)).toEqual({ bytes: new Uint8Array(0), complete: true });
  });

  it("that is longer is canceled", async () => {
    let canceled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => {
        canceled = true;
      },
    });
    expect((await readCapped(endless, 25)).bytes.length).toBe(25);
    expect(canceled).toBe(true);
  });
});
