import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Junctions } from "../../../../src/importer/layers/roads/graph/junctions.ts";
import { seeded } from "../../../core/routing/graph/random-town.ts";

const USES = 120_000;

/** Uses, and what stands at some nodes, as a plain map sees them. */
function world(seed: number) {
  const random = seeded(seed);
  // Ids as they are: runs close together, far from one another, beyond 32 bits.
  const ids = Array.from(
    { length: 60_000 },
    () => Math.floor(random() * 40) * 330_000_000 + Math.floor(random() * 6000),
  );
  const uses = Array.from(
    { length: USES },
    () => [ids[Math.floor(random() * ids.length)], random() < 0.1 ? 2 : 1] as const,
  );
  const times = new Map<number, number>();
  for (const [id, count] of uses) times.set(id, (times.get(id) ?? 0) + count);
  const signals = [...new Set(ids.filter(() => random() < 0.05))].sort((a, b) => a - b);
  return { uses, times, signals };
}

it("nodes are cut where roads meet or something stands, in any memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cut-nodes-"));
  const { uses, times, signals } = world(1);
  const standing = new Set(signals);
  const cut = [...times].filter(([id, count]) => count > 1 || standing.has(id)).map(([id]) => id);
  for (const memory of [0, 2 ** 30]) {
    const nodes = new Junctions({ path: join(folder, "nodes"), memory });
    for (const [id, count] of uses) nodes.use(id, count);
    if (memory === 0) expect((await readdir(folder)).length).toBeGreaterThan(1);
    for (const id of signals) {
      nodes.stands({ type: "node", id, latitude: 0, longitude: 0, tags: { highway: "traffic_signals" } });
    }
    nodes.finish();
    expect(await readdir(folder)).toEqual([]);
    expect(nodes.count).toBe(cut.length);
    // By ascending id, and each found again.
    expect(cut.sort((a, b) => a - b).map((id) => nodes.numberOf(id))).toEqual(cut.map((_, number) => number));
    for (const [id, count] of times) {
      if (count === 1 && !standing.has(id)) expect(nodes.numberOf(id)).toBe(-1);
    }
    for (const id of signals) {
      const number = nodes.numberOf(id);
      expect(number >= 0).toBe(times.has(id));
      if (number >= 0) expect(nodes.effectOf(number).record).toEqual({ trafficSignal: true });
    }
    expect(nodes.junctionAt(0)).toBe(-1);
    nodes.setJunction(0, 42);
    expect(nodes.junctionAt(0)).toBe(42);
  }
  await rm(folder, { recursive: true });
});

it("a node without roads, or with tags that change nothing, is not cut", () => {
  const nodes = new Junctions({ path: "", memory: 2 ** 30 });
  nodes.use(7, 1);
  nodes.use(9, 1);
  const at = (id: number, tags: Record<string, string>) =>
    nodes.stands({ type: "node", id, latitude: 0, longitude: 0, tags });
  at(5, { highway: "stop" });
  at(7, { highway: "crossing" });
  at(9, { barrier: "bollard" });
  at(11, { highway: "stop" });
  nodes.finish();
  expect([5, 7, 9, 11].map((id) => nodes.numberOf(id))).toEqual([-1, -1, 0, -1]);
});
