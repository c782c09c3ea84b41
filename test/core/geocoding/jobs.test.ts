import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { type Chunk, type JobStore, KEPT_MS } from "../../../src/worker/objects/jobs/job-store.ts";
import { readCsv } from "../../../src/worker/wire/tables/csv.ts";
import { fieldsOfRow, guessColumns, resultColumns, resultRow } from "../../../src/worker/wire/tables/geocode-row.ts";
import { csvRow } from "../../../src/worker/wire/tables/write-csv.ts";
import { storeOn } from "../../support/job-database.ts";

/** The next rows of a file. */
const nextOf = (store: JobStore) => store.next() as Chunk | undefined;

const PLAN = {
  id: "j",
  kind: "forward" as const,
  names: ["Address"],
  mapping: { query: [0] },
  fixed: {},
  rate: 1000,
  createdAt: 1_000_000,
};
const NOW = 2_000_000;

function fill(store: JobStore, chunks: number, id = "j", createdAt = PLAN.createdAt): void {
  store.create({ ...PLAN, id, createdAt });
  for (let n = 0; n < chunks; n++) store.add(id, n, JSON.stringify([[`${id} ${n} a`], [`${id} ${n} b`]]));
  store.start(id, chunks * 2, NOW);
}

const answer = ({ rows }: Chunk) => rows.map(([cell]) => csvRow([cell, "ok"])).join("");

describe("a job of geocoding", () => {
  it("that is killed between any two steps answers every row once, in order", () => {
    const database = new DatabaseSync(":memory:");
    let store = storeOn(database);
    fill(store, 7);
    for (let step = 0; step < 40; step++) {
      // A new process each time; every third dies with its work done and not written.
      store = storeOn(database);
      const chunk = nextOf(store);
      if (!chunk) break;
      if (step % 3 === 0) continue;
      store.finish(chunk, answer(chunk), 1, NOW);
      // The same work again, as an alarm that was not acknowledged comes twice.
      if (step % 3 === 1) store.finish(chunk, "twice", 1, NOW);
    }
    expect(store.job("j")).toMatchObject({ status: "finished", total: 14, done: 14, failed: 7 });
    const { text, next } = store.result("j", 0, 1e6);
    expect(next).toBeUndefined();
    expect(readCsv(text).map(({ cells }) => cells[0])).toEqual(
      Array.from({ length: 7 }, (_, n) => [`j ${n} a`, `j ${n} b`]).flat(),
    );
  });

  it("tells its result piece by piece", () => {
    const store = storeOn(new DatabaseSync(":memory:"));
    fill(store, 5);
    for (let chunk = nextOf(store); chunk; chunk = nextOf(store)) store.finish(chunk, answer(chunk), 0, NOW);
    let [text, pieces] = ["", 0];
    for (let from: number | undefined = 0; from !== undefined; pieces++) {
      const piece = store.result("j", from, 40);
      text += piece.text;
      from = piece.next;
    }
    expect(pieces).toBe(3);
    expect(text).toBe(store.result("j", 0, 1e6).text);
  });

  it("that is cancelled keeps what is done, and takes nothing more", () => {
    const store = storeOn(new DatabaseSync(":memory:"));
    fill(store, 3);
    const first = nextOf(store)!;
    store.finish(first, answer(first), 0, NOW);
    const second = nextOf(store)!;
    store.cancel("j", NOW);
    store.finish(second, answer(second), 0, NOW);
    expect(store.job("j")).toMatchObject({ status: "cancelled", done: 2, total: 6 });
    expect(nextOf(store)).toBeUndefined();
    expect(readCsv(store.result("j", 0, 1e6).text)).toHaveLength(2);
    store.cancel("j", NOW);
    store.remove("j");
    expect(store.job("j")).toBeUndefined();
    expect(store.result("j", 0, 1e6)).toEqual({ text: "", next: undefined });
  });

  it("waits for older ones; one without rows is done at once; and all go when their time is over", () => {
    const store = storeOn(new DatabaseSync(":memory:"));
    fill(store, 1, "late", 3);
    fill(store, 1, "early", 2);
    fill(store, 0, "empty", 1);
    store.create({ ...PLAN, id: "half", createdAt: NOW });
    expect(store.job("empty")?.status).toBe("finished");
    expect(store.jobs().map(({ id }) => id)).toEqual(["half", "late", "early", "empty"]);
    for (const id of ["early", "late"]) {
      const chunk = nextOf(store)!;
      expect(chunk.job.id).toBe(id);
      store.finish(chunk, "x", 0, NOW);
    }
    expect(store.purge(NOW)).toBe(NOW + 3600_000);
    expect(store.purge(NOW + 3600_000)).toBe(NOW + KEPT_MS);
    expect(store.jobs().map(({ id }) => id)).toEqual(["late", "early", "empty"]);
    expect(store.purge(NOW + KEPT_MS)).toBeUndefined();
    expect(store.jobs()).toEqual([]);
  });
});

describe("the columns of a file", () => {
  it.each([
    ["forward", ["id", "Address"], { query: [1] }],
    ["forward", ["Straße", "Hausnummer", "PLZ", "Ort"], { street: [0], number: [1], postalCode: [2], city: [3] }],
    ["forward", ["address", "city", "state", "zip"], { query: [0, 1, 3, 2] }],
    ["reverse", ["name", "lat", "lng"], { latitude: [1], longitude: [2] }],
    [
      "validate",
      ["Address 1", "City", "State", "Zip Code"],
      { addressLabel: [0], city: [1], stateCode: [2], postalCode: [3] },
    ],
    ["forward", ["foo", "bar"], {}],
  ] as const)("%s: %j", (kind, names, expected) => {
    expect(guessColumns(kind, names)).toEqual(expected);
  });

  it("a row's cells become parameters, and empty ones are absent", () => {
    const mapping = { query: [1, 0, 2] };
    expect(fieldsOfRow(["Brooklyn", " 20 Jay St ", ""], mapping, { lang: "de" })).toEqual({
      lang: "de",
      query: "20 Jay St, Brooklyn",
    });
    expect(fieldsOfRow([], mapping, {})).toEqual({});
  });

  it("a result has the columns of the file and those of the answer in every row, and runs nothing", () => {
    const width = 2 + resultColumns("forward").length;
    const address = { latitude: 1, longitude: 2, layer: "address", formattedAddress: '=1+1, "x"' } as never;
    const rows = [
      resultRow("forward", ["a", "b", "too many"], 2, { status: "ok", addresses: [address] }),
      resultRow("forward", ["a"], 2, { status: "ok", addresses: [] }),
      resultRow("forward", ["a", "b"], 2, { status: "failed", code: 400, message: "query: Required." }),
    ].map((row) => readCsv(row)[0].cells);
    expect(rows.map(({ length }) => length)).toEqual([width, width, width]);
    expect(rows.map((cells) => cells[2])).toEqual(["ok", "none", "failed"]);
    expect(rows[0]).toContain('\'=1+1, "x"');
    expect(rows[2].at(-1)).toBe("query: Required.");
    const validated = {
      status: "ok",
      address: { street: "JAY ST" },
      result: { verificationStatus: "verified", corrections: ["city"] },
    };
    expect(readCsv(resultRow("validate", ["a"], 1, validated as never))[0].cells).toHaveLength(
      1 + resultColumns("validate").length,
    );
  });
});
