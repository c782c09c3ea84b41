import { describe, expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import { at, Device, fenceOf, HOME, home, MINUTE, polygonFence, typesOf } from "./world.ts";

describe("a device and a geofence", () => {
  it("enters with the first update inside, once, and exits with the minutes of the visit", () => {
    const device = new Device();
    device.send(500);
    expect(device.inside()).toEqual([]);
    const entry = device.send(20).events;
    expect(entry).toMatchObject([
      {
        _id: "a1b2c3d4e5f6a1b2c3d4e5f600000001",
        type: "user.entered_geofence",
        live: false,
        createdAt: device.clock,
        actualCreatedAt: device.clock,
        user: { _id: "a1b2c3d4e5f6a1b2c3d4e5f6", deviceId: "phone" },
        location: at(20),
        locationAccuracy: 10,
        confidence: 3,
        geofence: { _id: "f1", tag: "house", externalId: "1", description: "Home" },
      },
    ]);
    expect(entry[0].duration).toBeUndefined();
    device.send(30);
    device.send(0);
    const exit = device.send(500).events;
    expect(exit).toMatchObject([
      { type: "user.exited_geofence", duration: 3, confidence: 3, geofence: { tag: "house" } },
    ]);
    expect(exit[0]._id).toBe("a1b2c3d4e5f6a1b2c3d4e5f600000002");
    expect(device.log).toEqual(["entered_geofence", "exited_geofence"]);
    expect(device.state?.seq).toBe(2);
  });

  it("enters within `accuracy` of the fence and exits only when more than `accuracy` outside", () => {
    const device = new Device();
    expect(typesOf(device.send(151, { accuracy: 50 }))).toEqual([]);
    expect(typesOf(device.send(149, { accuracy: 50 }))).toEqual(["entered_geofence"]);
    device.send(0, { accuracy: 50 });
    expect(typesOf(device.send(149, { accuracy: 50 }))).toEqual([]);
    expect(typesOf(device.send(151, { accuracy: 50 }))).toEqual(["exited_geofence"]);
  });

  it("follows the bare position when buffers are off", () => {
    const device = new Device();
    device.settings = { ...device.settings, bufferedEntries: false };
    expect(typesOf(device.send(101, { accuracy: 50 }))).toEqual([]);
    expect(typesOf(device.send(99, { accuracy: 50 }))).toEqual(["entered_geofence"]);
    const exit = device.send(101, { accuracy: 50 });
    expect(exit.events).toMatchObject([{ type: "user.exited_geofence", confidence: 2 }]);
    expect(typesOf(device.send(99, { accuracy: 50 }))).toEqual(["entered_geofence"]);
    expect(typesOf(device.send(101, { accuracy: 50 }))).toEqual(["exited_geofence"]);
  });

  it.each([
    { metres: 0, accuracy: 100, confidence: 3 },
    { metres: 50, accuracy: 51, confidence: 2 },
    { metres: 95, accuracy: 50, confidence: 2 },
    { metres: 99, accuracy: 50, confidence: 1 },
    { metres: 140, accuracy: 50, confidence: 1 },
    { metres: 0, accuracy: 140, confidence: 2 },
    { metres: 0, accuracy: 142, confidence: 1 },
  ])("is believed with $confidence at $metres m from the centre with an accuracy of $accuracy m", (given) => {
    const { events } = new Device().send(given.metres, { accuracy: given.accuracy });
    expect(events).toMatchObject([{ type: "user.entered_geofence", confidence: given.confidence }]);
  });

  it("that jumps across the fence still exits it, though it is no longer around", () => {
    const device = new Device();
    device.send(0);
    device.around = { fences: [] };
    expect(device.report({ location: { latitude: -33, longitude: 151 } }).events).toMatchObject([
      { type: "user.exited_geofence", confidence: 3, geofence: { _id: "f1" } },
    ]);
  });

  it("that was already inside when the fence was made enters with its next update", () => {
    const device = new Device();
    device.around = { fences: [] };
    device.send(0);
    device.send(0);
    expect(device.log).toEqual([]);
    device.around = { fences: [home] };
    expect(typesOf(device.send(0))).toEqual(["entered_geofence"]);
  });

  it("is not moved by one bad fix of 17 km, neither out nor in", () => {
    const device = new Device();
    const far = fenceOf("far", at(20_000), 5000);
    device.around = { fences: [home, far] };
    device.send(0);
    expect(typesOf(device.send(19_000, { accuracy: 17_000 }))).toEqual([]);
    device.around = { fences: [] };
    expect(typesOf(device.send(40_000, { accuracy: 17_000 }))).toEqual([]);
    expect(device.inside()).toEqual(["f1"]);
    expect(device.state).toMatchObject({ location: at(40_000), locationAccuracy: 17_000 });
    device.around = { fences: [home] };
    expect(typesOf(device.send(0))).toEqual([]);
  });

  it("exits a fence that is deleted, disabled, past its time or closed to this user, and never says so twice", () => {
    const changes: Record<string, (device: Device) => void> = {
      deleted: (device) => {
        device.around = { fences: [], removed: ["f1"] };
      },
      disabled: (device) => {
        device.around = { fences: [{ ...home, enabled: false }] };
      },
      past: (device) => {
        device.around = { fences: [{ ...home, disableAfter: device.clock + MINUTE }] };
      },
      others: (device) => {
        device.around = { fences: [{ ...home, userIds: ["somebody"] }] };
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const device = new Device();
      device.send(0);
      change(device);
      // Even a bad fix learns of it: it is not the fix that ends the visit.
      expect(device.send(0, { accuracy: 17_000 }).events, name).toMatchObject([
        { type: "user.exited_geofence", confidence: 3, duration: 1 },
      ]);
      device.send(0);
      expect(device.log, name).toEqual(["entered_geofence", "exited_geofence"]);
    }
  });

  it("is seen by a fence for certain users under its userId, deviceId or _id", () => {
    for (const id of ["ann", "phone", "a1b2c3d4e5f6a1b2c3d4e5f6"]) {
      const device = new Device();
      device.around = { fences: [{ ...home, userIds: ["bob", id] }] };
      expect(typesOf(device.send(0, { userId: "ann" })), id).toEqual(["entered_geofence"]);
    }
  });

  it("enters only stopped or in the foreground where stop detection is on, by fence before project", () => {
    const device = new Device();
    device.around = { fences: [{ ...home, stopDetection: true }] };
    expect(typesOf(device.send(0))).toEqual([]);
    expect(typesOf(device.send(0, { stopped: false, foreground: false }))).toEqual([]);
    expect(typesOf(device.send(0, { stopped: true }))).toEqual(["entered_geofence"]);
    expect(typesOf(device.send(500, { stopped: false }))).toEqual(["exited_geofence"]);
    expect(typesOf(device.send(0, { foreground: true }))).toEqual(["entered_geofence"]);

    const other = new Device();
    other.settings = { ...other.settings, stopDetection: true };
    expect(typesOf(other.send(0))).toEqual([]);
    other.around = { fences: [{ ...home, stopDetection: false }] };
    expect(typesOf(other.send(0))).toEqual(["entered_geofence"]);
  });

  it("may be in many fences at once and each visit is its own", () => {
    const device = new Device();
    device.around = { fences: [fenceOf("small", HOME, 50), fenceOf("large", HOME, 1000)] };
    device.send(0);
    expect(device.inside()).toEqual(["small", "large"]);
    const { events } = device.send(500);
    expect(events).toMatchObject([{ type: "user.exited_geofence", geofence: { _id: "small" } }]);
    expect(device.inside()).toEqual(["large"]);
  });

  it("shows the new label of a fence that is edited while it is inside", () => {
    const device = new Device();
    device.send(0);
    device.around = { fences: [{ ...home, revision: 2, description: "New home", tag: undefined }] };
    expect(device.send(0).events).toEqual([]);
    expect(device.state?.geofences.f1.fence).toEqual({
      _id: "f1",
      externalId: "1",
      description: "New home",
      type: "circle",
      center: HOME,
      radius: 100,
    });
  });

  it("leaves the presences it does not touch as the very same objects", () => {
    const device = new Device();
    device.send(0);
    const before = device.state;
    device.send(5);
    expect(device.state?.geofences).toBe(before?.geofences);
    expect(device.state?.left).toBe(before?.left);
  });
});

describe("a circle", () => {
  it.each([
    { name: "the North Pole", latitude: 90, longitude: 0 },
    { name: "beside the South Pole", latitude: -89.9999, longitude: 120 },
    { name: "the 180th meridian", latitude: -17, longitude: 180 },
    { name: "nearly the 180th meridian", latitude: 65, longitude: -179.9999 },
    { name: "the origin", latitude: 0, longitude: 0 },
  ])("at $name is round", ({ latitude, longitude }) => {
    const center = { latitude, longitude };
    for (let bearing = 0; bearing < 360; bearing += 15) {
      const device = new Device();
      device.around = { fences: [fenceOf("c", center, 100)] };
      for (const metres of [120, 105, 95, 80, 105, 130])
        device.report({ location: destination(center, bearing, metres) });
      expect(device.log).toEqual(["entered_geofence", "exited_geofence"]);
      expect(device.state?.geofences).toEqual({});
    }
  });

  it("that lies between two fixes and holds neither is not visited", () => {
    const device = new Device();
    for (const metres of [-1000, 1000]) device.send(metres);
    expect(device.log).toEqual([]);
  });
});

describe("a polygon", () => {
  // A square of about 1.1 km by 0.85 km with a corner cut out; its bounding circle is much larger.
  //   ┌────┐
  //   │  ┌─┘
  //   └──┘
  const ring = [
    [-73.96, 40.7],
    [-73.955, 40.7],
    [-73.955, 40.705],
    [-73.95, 40.705],
    [-73.95, 40.71],
    [-73.96, 40.71],
    [-73.96, 40.7],
  ];

  it("is entered and left by its edge, not by its bounding circle", () => {
    const device = new Device();
    device.around = { fences: [polygonFence("p", ring)] };
    expect(typesOf(device.report({ location: { latitude: 40.702, longitude: -73.951 } }))).toEqual([]);
    expect(typesOf(device.report({ location: { latitude: 40.708, longitude: -73.951 } }))).toEqual([
      "entered_geofence",
    ]);
    expect(typesOf(device.report({ location: { latitude: 40.702, longitude: -73.951 } }))).toEqual(["exited_geofence"]);
  });

  it("gives its confidence by the share of the circle inside", () => {
    const seen = [-73.9525, -73.9501, -73.9499].map((longitude) => {
      const device = new Device();
      device.around = { fences: [polygonFence("p", ring)] };
      return device.report({ location: { latitude: 40.7075, longitude }, accuracy: 60 }).events[0].confidence;
    });
    expect(seen).toEqual([3, 2, 1]);
  });

  it("works across the 180th meridian", () => {
    const fiji = [
      [179.9, -17],
      [-179.9, -17],
      [-179.9, -16.8],
      [179.9, -16.8],
    ];
    const device = new Device();
    device.around = { fences: [polygonFence("p", fiji)] };
    device.report({ location: { latitude: -16.9, longitude: 179.89 } });
    device.report({ location: { latitude: -16.9, longitude: 179.95 } });
    device.report({ location: { latitude: -16.9, longitude: -179.95 } });
    expect(device.inside()).toEqual(["p"]);
    device.report({ location: { latitude: -16.9, longitude: -179.8 } });
    expect(device.log).toEqual(["entered_geofence", "exited_geofence"]);
  });
});

describe("a dwell", () => {
  it("is told by the first update later than the threshold, once per visit", () => {
    const device = new Device();
    device.around = { fences: [{ ...home, dwellThreshold: 3 }] };
    for (const metres of [0, 1, 2, 3]) device.send(metres);
    expect(device.log).toEqual(["entered_geofence"]);
    expect(device.send(4).events).toMatchObject([{ type: "user.dwelled_in_geofence", confidence: 3 }]);
    device.send(5);
    device.send(500);
    device.send(5);
    for (const metres of [0, 1, 2, 3]) device.send(metres);
    const once = ["entered_geofence", "dwelled_in_geofence"];
    expect(device.log).toEqual([...once, "exited_geofence", ...once]);
  });

  it("is off unless set, and the fence's threshold wins over the project's", () => {
    const device = new Device();
    for (let i = 0; i < 100; i++) device.send(0);
    expect(device.log).toEqual(["entered_geofence"]);
    device.settings = { ...device.settings, dwellThreshold: 5 };
    device.around = { fences: [{ ...home, dwellThreshold: 0 }] };
    device.send(0);
    expect(device.log).toEqual(["entered_geofence"]);
    device.around = { fences: [home] };
    device.send(0);
    expect(device.log).toEqual(["entered_geofence", "dwelled_in_geofence"]);
  });

  it("comes not with the exit and not with a bad fix", () => {
    const device = new Device();
    device.around = { fences: [{ ...home, dwellThreshold: 1 }] };
    device.send(0);
    device.clock += 60 * MINUTE;
    device.send(0, { accuracy: 17_000 });
    device.send(500);
    expect(device.log).toEqual(["entered_geofence", "exited_geofence"]);
  });
});

describe("standing still", () => {
  /** Noise in a disc of the given radius around a true position, the same in every run. */
  const noise = (seed: number, spread: (u: number) => number = Math.sqrt) => {
    let s = seed;
    const next = () => {
      s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
      return (s + 0.5) / 2 ** 32;
    };
    return (metres: number, radius: number) => {
      const r = spread(next()) * radius;
      const phi = next() * 2 * Math.PI;
      const east = metres + r * Math.cos(phi);
      const north = r * Math.sin(phi);
      return at(Math.hypot(east, north), (Math.atan2(east, north) * 180) / Math.PI);
    };
  };
  /** Normal errors of which 68 % lie within the radius. */
  const bell = (seed: number) => noise(seed, (u) => Math.sqrt(-2 * Math.log(u)) / Math.sqrt(-2 * Math.log(0.32)));

  it.each([60, 80, 95, 100])(
    "%i m from the centre, inside, gives one entry and no exit, whatever the noise",
    (metres) => {
      for (let seed = 1; seed <= 20; seed++) {
        const device = new Device();
        const shake = noise(seed);
        for (let i = 0; i < 200; i++) device.report({ location: shake(metres, 40), accuracy: 40 });
        expect(device.log).toEqual(["entered_geofence"]);
      }
    },
  );

  it.each([105, 120, 140, 160, 180])("%i m from the centre, outside, rests after a visit or two", (metres) => {
    for (let seed = 1; seed <= 20; seed++) {
      const device = new Device();
      const shake = noise(seed);
      for (let i = 0; i < 500; i++) device.report({ location: shake(metres, 40), accuracy: 40 });
      expect(device.log.length).toBeLessThanOrEqual(3);
    }
  });

  it.each([50, 80, 95, 105, 120, 140, 160])(
    "%i m from the centre with the noise of real phones makes 500 fixes nearly silent",
    (metres) => {
      let events = 0;
      for (let seed = 1; seed <= 20; seed++) {
        const device = new Device();
        const shake = bell(seed);
        for (let i = 0; i < 500; i++) device.report({ location: shake(metres, 30), accuracy: 30 });
        events += device.log.length;
      }
      // Under the bare rule, as for a device that says it moves, it is some 250 at 130 m.
      expect(events / 20).toBeLessThan(5);
    },
  );

  it("with an accuracy that jumps about rests too", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const device = new Device();
      const shake = noise(seed);
      for (let i = 0; i < 500; i++) {
        const accuracy = [5, 20, 40, 65, 30, 10][i % 6];
        device.report({ location: shake(125, accuracy), accuracy });
      }
      expect(device.log.length).toBeLessThanOrEqual(6);
    }
  });

  it("on the edge with fixes that step over it and back does not flap", () => {
    const device = new Device();
    device.send(0, { accuracy: 50 });
    for (let i = 0; i < 50; i++) device.send(i % 2 === 0 ? 151 : 149, { accuracy: 50 });
    expect(device.log).toEqual(["entered_geofence", "exited_geofence"]);
  });

  it("ends where the device says that it moves: it is believed", () => {
    const device = new Device();
    device.send(0, { accuracy: 50 });
    for (const metres of [151, 149, 151]) device.send(metres, { accuracy: 50, stopped: false });
    expect(device.log).toEqual(["entered_geofence", "exited_geofence", "entered_geofence", "exited_geofence"]);
  });

  it("is over when the device walks off and returns: it enters anew", () => {
    const device = new Device();
    device.send(0, { accuracy: 50 });
    device.send(151, { accuracy: 50 });
    device.send(149, { accuracy: 50 });
    expect(Object.keys(device.state?.left ?? {})).toEqual(["f1"]);
    device.send(400, { accuracy: 50 });
    expect(device.state?.left).toEqual({});
    device.send(149, { accuracy: 50 });
    expect(device.log).toEqual(["entered_geofence", "exited_geofence", "entered_geofence"]);
  });

  it("does not keep a fence alive that is deleted", () => {
    const device = new Device();
    for (const metres of [0, 151, 95]) device.send(metres, { accuracy: 50 });
    expect(device.inside()).toEqual(["f1"]);
    device.around = { fences: [] };
    expect(typesOf(device.send(95, { accuracy: 50 }))).toEqual(["exited_geofence"]);
  });

  it("does not hold up a device that comes back into a small fence with a coarse fix", () => {
    const device = new Device();
    device.around = { fences: [fenceOf("small", HOME, 20)] };
    for (const metres of [0, 71, 0]) device.send(metres, { accuracy: 50 });
    expect(device.log).toEqual(["entered_geofence", "exited_geofence", "entered_geofence"]);
  });
});

describe("operating hours", () => {
  const hours = { Wed: [["07:00", "09:00"]], Fri: [["22:00", "02:00"]] } as const;
  const shop = { ...home, operatingHours: hours };
  const wednesday = (hour: number, minute = 0) => Date.UTC(2026, 6, 1, hour, minute);

  it("let nobody in while closed, on the fence's own clock", () => {
    const device = new Device();
    // 08:30 in New York is 12:30 UTC.
    device.around = { fences: [shop], timeZone: "America/New_York" };
    device.clock = wednesday(10, 58);
    expect(typesOf(device.send(0))).toEqual([]);
    expect(typesOf(device.send(0))).toEqual(["entered_geofence"]);
  });

  it("do not throw out who is inside, who then exits by going", () => {
    const device = new Device();
    device.around = { fences: [{ ...shop, dwellThreshold: 30 }], timeZone: "America/New_York" };
    device.clock = wednesday(12, 45);
    device.send(0);
    device.clock = wednesday(20);
    expect(typesOf(device.send(0))).toEqual([]);
    expect(typesOf(device.send(500))).toEqual(["exited_geofence"]);
    expect(typesOf(device.send(0))).toEqual([]);
  });

  it.each([
    ["Friday evening", Date.UTC(2026, 6, 3, 23), true],
    ["the night after", Date.UTC(2026, 6, 4, 1, 59), true],
    ["closing time", Date.UTC(2026, 6, 4, 2), false],
    ["Friday morning", Date.UTC(2026, 6, 3, 1), false],
  ])("run over midnight: %s", (_, time, open) => {
    const device = new Device();
    device.around = { fences: [shop] };
    device.clock = time - MINUTE;
    expect(typesOf(device.send(0))).toEqual(open ? ["entered_geofence"] : []);
  });

  it("fall back to the device's time zone and then to UTC, also where a zone is unknown", () => {
    for (const [timeZone, clock] of [
      ["Europe/Berlin", wednesday(5, 30)],
      ["Mars/Olympus", wednesday(7, 30)],
      [undefined, wednesday(7, 30)],
    ] as const) {
      const device = new Device();
      device.around = { fences: [shop] };
      device.clock = clock;
      expect(typesOf(device.send(0, { timeZone })), timeZone).toEqual(["entered_geofence"]);
    }
  });
});

it("a presence that an earlier release has kept shows its geofence's form with the next update", () => {
  const device = new Device();
  device.send(0);
  const { state } = device;
  if (!state) throw new Error("no state");
  const { _id, tag, externalId, description } = state.geofences.f1.fence;
  const old = { ...state.geofences.f1, fence: { _id, tag, externalId, description } };
  device.state = { ...state, geofences: { f1: old } };
  expect(device.send(1).events).toEqual([]);
  expect(device.state?.geofences.f1).toEqual({ ...old, fence: state.geofences.f1.fence });
  expect(device.state?.geofences.f1.fence).toMatchObject({ type: "circle", center: home.shape.center, radius: 100 });
});
