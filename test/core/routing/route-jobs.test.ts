import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { type JobStore, WHOLE_KEPT_MS } from "../../../src/worker/objects/jobs/job-store.ts";
import { storeOn } from "../../support/job-database.ts";

const PLAN = { id: "q", kind: "fleet" as const, media: "application/json", createdAt: 1000 };
const NOW = 2000;

function ask(store: JobStore, pieces: string[]): void {
  store.create(PLAN);
  pieces.forEach((piece, n) => {
    store.add("q", n, piece);
  });
  store.start("q", 10, NOW);
}

describe("a long question about routes", () => {
  it("goes on where its last step was written, whenever it is killed", () => {
    const database = new DatabaseSync(":memory:");
    ask(storeOn(database), ["one ", "question"]);
    for (let step = 1; step < 10; step++) {
      const store = storeOn(database);
      const { text, state } = store.query("q");
      expect([text, state]).toEqual(["one question", step === 1 ? undefined : `after ${step - 1}`]);
      expect(store.next()).toMatchObject({ id: "q", kind: "fleet" });
      store.step("q", step, `after ${step}`, NOW);
      expect(store.job("q")).toMatchObject({ status: "running", done: step, total: 10 });
    }
    const store = storeOn(database);
    const answer = "x".repeat(1_200_000);
    store.answer("q", answer, NOW);
    expect(store.next()).toBeUndefined();
    expect(store.job("q")).toMatchObject({ status: "finished", done: 10 });
    let [told, pieces] = ["", 0];
    for (let from: number | undefined = 0; from !== undefined; pieces++) {
      const piece = store.result("q", from, 500_000);
      told += piece.text;
      from = piece.next;
    }
    expect([told === answer, pieces]).toEqual([true, 3]);
    store.purge(NOW + WHOLE_KEPT_MS);
    expect(store.jobs()).toEqual([]);
  });

  it("that is cancelled takes no step, and no answer, any more", () => {
    const store = storeOn(new DatabaseSync(":memory:"));
    ask(store, ["text"]);
    store.step("q", 3, "state", NOW);
    store.cancel("q", NOW);
    store.step("q", 4, "later", NOW);
    store.answer("q", "answer", NOW);
    expect(store.job("q")).toMatchObject({ status: "cancelled", done: 3 });
    expect(store.next()).toBeUndefined();
    expect(store.result("q", 0, 100)).toEqual({ text: "", next: undefined });
  });

  it("that cannot be answered is left at that after three tries", () => {
    const store = storeOn(new DatabaseSync(":memory:"));
    ask(store, ["text"]);
    for (const status of ["running", "running", "failed", "failed"]) {
      store.fail("q", NOW);
      expect(store.job("q")?.status).toBe(status);
    }
    expect(store.next()).toBeUndefined();
  });
});
