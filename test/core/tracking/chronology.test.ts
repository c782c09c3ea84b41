import { describe, expect, it } from "vitest";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import { at, Device, frozen, home, MINUTE, NOON, typesOf } from "./world.ts";

describe("the time of an update", () => {
  it("is the server's when the device gives none", () => {
    const device = new Device();
    device.send(0);
    expect(device.state).toMatchObject({ createdAt: device.clock, updatedAt: device.clock });
  });

  it("is the device's own when it is later than the last, and events carry both clocks", () => {
    const device = new Device();
    const history = NOON - 1000 * MINUTE;
    device.send(500, { updatedAt: history });
    expect(device.state).toMatchObject({ updatedAt: history, createdAt: device.clock });
    const { events } = device.send(0, { updatedAt: history + MINUTE, replayed: true });
    expect(events).toMatchObject([{ createdAt: history + MINUTE, actualCreatedAt: device.clock, replayed: true }]);
    expect(device.send(500, { updatedAt: history + 11 * MINUTE }).events).toMatchObject([{ duration: 10 }]);
  });

  it("is the server's for a live update whose time is not later than the last: location, events and updatedAt", () => {
    const device = new Device();
    device.send(0, { updatedAt: NOON });
    for (const updatedAt of [NOON, NOON - MINUTE, NOON - 3000 * MINUTE]) {
      const { events, state } = device.send(device.inside().length > 0 ? 500 : 0, { updatedAt });
      expect(events).toMatchObject([{ createdAt: device.clock, actualCreatedAt: device.clock }]);
      expect(state).toMatchObject({
        updatedAt: device.clock,
        actualUpdatedAt: device.clock,
        chronology: device.clock,
      });
    }
    expect(device.log).toEqual(["entered_geofence", "exited_geofence", "entered_geofence", "exited_geofence"]);
  });

  it("does not freeze a phone whose clock was set back: it goes on at server time", () => {
    const device = new Device();
    const back = -1000 * MINUTE;
    device.send(0, { updatedAt: NOON + MINUTE });
    for (let i = 2; i < 6; i++) device.send(i % 2 ? 0 : 500, { updatedAt: NOON + i * MINUTE + back });
    expect(device.log).toEqual([
      "entered_geofence",
      "exited_geofence",
      "entered_geofence",
      "exited_geofence",
      "entered_geofence",
    ]);
    expect(device.state?.updatedAt).toBe(device.clock);
  });

  it("of an older replay changes nothing, nor does the same time", () => {
    const device = new Device();
    device.send(0, { updatedAt: NOON });
    const before = device.state;
    for (const updatedAt of [NOON, NOON - 1, NOON - MINUTE]) {
      const { state, events, repeated } = device.send(500, { updatedAt, replayed: true });
      expect({ events, repeated }).toEqual({ events: [], repeated: false });
      expect(state).toBe(before);
    }
  });

  it("lets replayed history continue after a straggler", () => {
    const device = new Device();
    const then = NOON - 1000 * MINUTE;
    device.send(500, { updatedAt: then, replayed: true });
    device.send(500, { updatedAt: then - MINUTE, replayed: true });
    expect(typesOf(device.send(0, { updatedAt: then + MINUTE, replayed: true }))).toEqual(["entered_geofence"]);
  });

  it("is the server's again after a clock that was days ahead was put right", () => {
    const device = new Device();
    const ahead = NOON + 3000 * MINUTE;
    device.send(0, { updatedAt: ahead });
    expect(device.send(500, { updatedAt: NOON - 1000 * MINUTE, replayed: true }).events).toEqual([]);
    const { events } = device.send(500, { updatedAt: NOON + MINUTE });
    expect(events).toMatchObject([{ type: "user.exited_geofence", duration: 0, createdAt: device.clock }]);
    expect(device.state?.chronology).toBe(device.clock);
  });
});

describe("an update that is sent again", () => {
  it("gets the same answer and makes nothing new", () => {
    const device = new Device();
    const first = device.send(0, { updatedAt: NOON, foreground: true });
    const again = device.send(0, { updatedAt: NOON, foreground: true });
    expect(again).toEqual({ state: first.state, events: first.events, trips: [], repeated: true });
    expect(again.state).toBe(first.state);
    expect(again.events).toHaveLength(1);
  });

  it("survives being stored as JSON", () => {
    const device = new Device();
    const first = device.send(0, { updatedAt: NOON });
    device.state = JSON.parse(JSON.stringify(device.state));
    const again = device.send(0, { updatedAt: NOON });
    expect(again.repeated).toBe(true);
    expect(JSON.stringify(again)).toBe(JSON.stringify({ ...first, repeated: true }));
  });

  it.each([
    { name: "place", more: { location: at(500) } },
    { name: "accuracy", more: { accuracy: 11 } },
    { name: "foreground", more: { foreground: false } },
  ])("with another $name is not the same: it counts, at server time", ({ more }) => {
    const device = new Device();
    device.report({ location: at(0), updatedAt: NOON, foreground: true });
    const { state, repeated } = device.report({ location: at(0), updatedAt: NOON, foreground: true, ...more });
    expect(repeated).toBe(false);
    expect(state.updatedAt).toBe(device.clock);
  });

  it("counts once, even after later updates have come in between", () => {
    const device = new Device();
    const sent = [0, 500, 0, 500, 0].map((metres, i) => ({ location: at(metres), updatedAt: NOON + i * MINUTE }));
    for (const update of sent) device.report(update);
    const { state, log } = device;
    const made = [...log];
    for (const update of sent.slice(0, -1)) {
      const again = device.report(update);
      expect(again).toEqual({ state, events: [], trips: [], repeated: true });
    }
    expect(device.report(sent[4])).toMatchObject({ repeated: true, events: [{ type: "user.entered_geofence" }] });
    expect(made).toHaveLength(5);
    expect(device.state).toBe(state);
  });

  it("counts once, also after an update without a time, and after server time has fallen behind its own", () => {
    const device = new Device();
    const ahead = { location: at(500), updatedAt: NOON + 5 * MINUTE };
    device.report(ahead);
    device.send(0);
    expect(device.state?.updatedAt).toBe(NOON + 2 * MINUTE);
    device.state = JSON.parse(JSON.stringify(device.state));
    const { state } = device;
    expect(device.report(ahead)).toEqual({ state, events: [], trips: [], repeated: true });
    device.send(0);
    expect(device.report(ahead)).toMatchObject({ events: [], repeated: true });
    expect(device.log).toEqual(["entered_geofence"]);
  });

  it("without a time of its own is a new report of the same place", () => {
    const device = new Device();
    device.around = { fences: [{ ...home, dwellThreshold: 1 }] };
    for (let i = 0; i < 4; i++) device.send(0);
    expect(device.log).toEqual(["entered_geofence", "dwelled_in_geofence"]);
  });
});

describe("the state", () => {
  it("notes when a userId took over the record without one", () => {
    const device = new Device();
    device.send(0);
    expect(device.state?.namedAt).toBeUndefined();
    device.send(0, { userId: "ann" });
    const { clock } = device;
    device.send(0, { userId: "ann" });
    expect(device.state?.namedAt).toBe(clock);
    const named = new Device();
    named.send(0, { userId: "ann" });
    named.send(0, { userId: "ann" });
    expect(named.state?.namedAt).toBeUndefined();
  });

  it("keeps what the device said of itself until it says otherwise; what belongs to the fix goes with it", () => {
    const device = new Device();
    const said = { userId: "ann", description: "Ann", metadata: { vip: true }, deviceType: "iOS", deviceModel: "X" };
    device.send(0, { ...said, foreground: true, stopped: true, ip: "192.0.2.1", speed: 3 });
    device.send(1);
    expect(device.state).toMatchObject(said);
    for (const key of ["foreground", "stopped", "ip", "speed"] as const) expect(device.state?.[key]).toBeUndefined();
    device.send(2, { metadata: {} });
    expect(device.state?.metadata).toEqual({});
  });

  it("is not touched by the update that follows it", () => {
    const device = new Device();
    device.around = frozen({ fences: [home], place: null, regions: {} });
    for (const metres of [0, 500, 0, 10, 400]) {
      device.send(metres);
      frozen(device.state);
    }
    expect(device.log).toHaveLength(4);
  });

  it("shows the user in its events as far as events do", () => {
    const { events } = new Device().send(0, { userId: "ann", metadata: { vip: true }, description: "not shown" });
    expect(events[0].user).toEqual({
      _id: "a1b2c3d4e5f6a1b2c3d4e5f6",
      deviceId: "phone",
      userId: "ann",
      metadata: { vip: true },
    });
  });

  it("moves on although the project has switched an event off", () => {
    const device = new Device();
    device.settings = { ...DEFAULT_SETTINGS, eventTypes: ["user.exited_geofence"] };
    device.send(0);
    expect(device.inside()).toEqual(["f1"]);
    expect(device.send(500).events).toMatchObject([{ _id: "a1b2c3d4e5f6a1b2c3d4e5f600000001" }]);
  });

  it("takes its name and its world from the identity it begins with", () => {
    const { state, events } = applyUpdate(undefined, new Device().update(), { fences: [home] }, DEFAULT_SETTINGS, {
      _id: "0123",
      live: true,
    });
    expect(state).toMatchObject({ _id: "0123", live: true });
    expect(events).toMatchObject([{ _id: "012300000001", live: true }]);
  });
});
