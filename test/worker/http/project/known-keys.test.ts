import { describe, expect, it } from "vitest";
import { isDatabaseAway } from "../../../../src/worker/db/away.ts";
import { KnownKeys } from "../../../../src/worker/http/serve/callers/known-keys.ts";
import { expectWithin } from "../../../support/times.ts";

const CALLER = { project: 7 };
const LOCKED = new Error("D1_ERROR: database is locked: SQLITE_BUSY");
const KEY = "a key";
const MINUTE = 60_000;

/** A database that answers as told, and counts how often it was asked. */
function database() {
  const state = { asked: 0, answer: (): Promise<typeof CALLER | undefined> => Promise.resolve(CALLER) };
  const keys = new KnownKeys<typeof CALLER>();
  const look = (now: number, { geodataOnly = true, key = KEY } = {}) =>
    keys.lookUp(key, now, geodataOnly, () => {
      state.asked++;
      return state.answer();
    });
  const fails = (error: unknown) => {
    state.answer = () => Promise.reject(error);
  };
  return { state, keys, look, fails };
}

describe("while the database answers", () => {
  it("a key is asked for again after eight seconds, so a revoked one is refused within ten", async () => {
    const { state, look } = database();
    for (const now of [0, 1, 7_999]) expect(await look(now)).toBe(CALLER);
    expect(state.asked).toBe(1);
    state.answer = () => Promise.resolve(undefined);
    expect(await look(8_000)).toBeUndefined();
    expect(state.asked).toBe(2);
  });

  it("a key nobody has is asked for once in five seconds", async () => {
    const { state, look } = database();
    state.answer = () => Promise.resolve(undefined);
    for (const now of [0, 1, 4_999]) expect(await look(now)).toBeUndefined();
    expect(state.asked).toBe(1);
    state.answer = () => Promise.resolve(CALLER);
    expect(await look(5_000)).toBe(CALLER);
  });

  it("who tries ten thousand keys neither fills the memory nor pushes out the keys that are", async () => {
    const { state, look } = database();
    await look(0);
    const asked = state.asked;
    state.answer = () => Promise.resolve(undefined);
    for (let i = 0; i < 10_000; i++) await look(0, { key: `guess ${i}` });
    expect(state.asked - asked).toBe(10_000);
    // The last thousand are remembered, what came before is not.
    await look(0, { key: "guess 9999" });
    await look(0, { key: "guess 9000" });
    expect(state.asked - asked).toBe(10_000);
    await look(0, { key: "guess 8999" });
    expect(state.asked - asked).toBe(10_001);
    expect(await look(1)).toBe(CALLER);
    expect(state.asked - asked).toBe(10_001);
  });

  it("what is known of a project is forgotten when its settings change", async () => {
    const { state, keys, look } = database();
    await look(0);
    keys.forget(8);
    await look(1);
    expect(state.asked).toBe(1);
    keys.forget(7);
    await look(2);
    expect(state.asked).toBe(2);
  });
});

describe("while the database does not answer", () => {
  it("a key seen lately is believed for ten minutes by what reads geodata only", async () => {
    const { look, fails } = database();
    await look(0);
    fails(LOCKED);
    for (const now of [8_000, MINUTE, 10 * MINUTE - 1]) expect(await look(now)).toBe(CALLER);
    await expect(look(10 * MINUTE)).rejects.toBe(LOCKED);
  });

  it("nothing else believes it longer than eight seconds", async () => {
    const { look, fails } = database();
    await look(0);
    fails(LOCKED);
    expect(await look(7_999, { geodataOnly: false })).toBe(CALLER);
    await expect(look(8_000, { geodataOnly: false })).rejects.toBe(LOCKED);
  });

  it("a key not seen before is not believed", async () => {
    const { look, fails } = database();
    fails(LOCKED);
    await expect(look(0)).rejects.toBe(LOCKED);
  });

  it("it is asked every two seconds only, and counts again as soon as it answers", async () => {
    const { state, look, fails } = database();
    await look(0);
    fails(LOCKED);
    for (let now = 8_000; now < 18_000; now += 100) await look(now);
    expect(state.asked).toBe(1 + 5);
    state.answer = () => Promise.resolve(undefined);
    expect(await look(18_000)).toBeUndefined();
    expect(await look(18_001)).toBeUndefined();
    expect(state.asked).toBe(7);
  });

  it("an answer that does not come is waited for one second", async () => {
    const { state, look } = database();
    await look(0);
    state.answer = () => new Promise(() => {});
    const began = Date.now();
    expect(await look(8_000)).toBe(CALLER);
    expectWithin(began, 3_000);
    expect(await look(9_000)).toBe(CALLER);
    expect(state.asked).toBe(2);
  });

  it("a mistake of ours is not taken for it", async () => {
    const { look, fails } = database();
    await look(0);
    const mistake = new Error("D1_ERROR: no such table: api_key: SQLITE_ERROR");
    fails(mistake);
    await expect(look(8_000)).rejects.toBe(mistake);
  });
});

describe("the database is away", () => {
  const wrapped = (cause: Error) => new Error("Failed query: select 1\nparams: ", { cause });
  it.each([
    LOCKED,
    new Error("D1_ERROR: Network connection lost."),
    new Error("D1_ERROR"),
    new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long."),
    new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset."),
    new Error("D1_ERROR: D1 DB reset because its code was updated."),
    new Error("Cannot resolve D1 DB due to transient issue on remote node."),
    new Error("D1_ERROR: disk I/O error: SQLITE_IOERR"),
    new Error("D1_ERROR: database or disk is full: SQLITE_FULL"),
    new Error("Network connection lost."),
    new Error("Durable Object is overloaded. Too many requests for the same object within a 10 second window."),
    Object.assign(new Error("internal error"), { retryable: true }),
    wrapped(LOCKED),
    wrapped(wrapped(LOCKED)),
  ])("by %s", (error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    new Error("D1_ERROR: no such table: user: SQLITE_ERROR"),
    new Error("D1_ERROR: UNIQUE constraint failed: api_key.hash: SQLITE_CONSTRAINT"),
    new Error("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'"),
    wrapped(new Error('D1_ERROR: near "SELEC": syntax error: SQLITE_ERROR')),
    new TypeError("Cannot read properties of undefined"),
    "database is locked",
    undefined,
  ])("not by %s", (error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});
