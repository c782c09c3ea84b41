import { describe, expect, it } from "vitest";
import type { UserWrite } from "../../../src/worker/db/customers/writes.ts";
import { TakenWrites } from "../../../src/worker/objects/writer/taken-writes.ts";

const user = (id: string, version: number): UserWrite => ({
  scope: 2,
  id,
  version,
  since: version,
  cell: 1,
  areas: [1],
  doc: "{}",
});
const told = (taken: TakenWrites) => taken.all().map(({ id, version }) => `${id}${version}`);

describe("what a writer has taken over and could not write", () => {
  it("waits as the newest version of each user until it arrives", () => {
    const taken = new TakenWrites();
    taken.failed([user("a", 2), user("b", 1)], true);
    taken.failed([user("a", 1)], true);
    expect(told(taken)).toEqual(["a2", "b1"]);
    taken.arrived([user("a", 1), user("b", 1)]);
    expect(told(taken)).toEqual(["a2"]);
    taken.arrived([user("a", 3)]);
    expect(taken.size).toBe(0);
  });

  it("waits for a database that is away as long as it takes, and is given up where that refuses it five times", () => {
    const taken = new TakenWrites();
    for (let i = 0; i < 100; i++) expect(taken.failed([user("a", 1)], true)).toEqual([]);
    for (let i = 0; i < 4; i++) expect(taken.failed([user("a", 1)], false)).toEqual([]);
    expect(taken.failed([user("a", 1)], false)).toHaveLength(1);
    expect(taken.size).toBe(0);
  });

  it("is at most ten thousand users: then trackers keep theirs", () => {
    const taken = new TakenWrites();
    taken.failed(
      Array.from({ length: 10_000 }, (_, n) => user(String(n), 1)),
      true,
    );
    expect(taken.isFull).toBe(true);
  });
});
