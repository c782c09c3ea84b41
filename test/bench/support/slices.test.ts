import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import type { BenchWorker } from "../worker.ts";
import { measureBeside, ratioOf } from "./slices.ts";

describe("a bench in slices", () => {
  it("tells the same ratio on a machine that becomes three times slower on the way", () => {
    const slowness = (slice: number) => 1 + slice / 4;
    const floor = [0, 2, 4, 6, 8].map((slice) => 100 * slowness(slice));
    const work = [1, 3, 5, 7].map((slice) => 500 * slowness(slice));
    expect(ratioOf(floor, work)).toEqual({ median: 5, low: 5, high: 5, count: 4 });
    // All of the work after all of the floor, on the same machine:
    expect((500 * slowness(8)) / (100 * slowness(0))).toBe(15);
  });

  it("is not moved by one slice in which something else ran", () => {
    expect(ratioOf([100, 100, 100, 100, 100, 100], [500, 500, 5000, 500, 500])).toEqual({
      median: 5,
      low: 5,
      high: 5,
      count: 5,
    });
  });

  it("compares several works, each with the floor on both sides of its own slices", () => {
    const floor = [100, 300, 100, 300, 100];
    expect(ratioOf(floor, [400, 400], { which: 0, of: 2 })).toMatchObject({ low: 2, high: 2, count: 2 });
    expect(ratioOf(floor, [1000, 1000], { which: 1, of: 2 })).toMatchObject({ low: 5, high: 5, count: 2 });
  });

  it("alternates: the floor first and last, and each side alone", async () => {
    const order: string[] = [];
    const sides = await Promise.all(["floor", "work"].map((name) => side(name, order)));
    const figures = await measureBeside(sides[0], sides[1], { slices: 3, sliceMs: 40, parallel: 2, warmUp: 3 });
    for (const one of sides) await one.worker.stop();
    const turns = order.filter((name, i) => name !== order[i - 1]);
    // warm-up of both, then three times floor and work, then the floor
    expect(turns).toEqual(["floor", "work", "floor", "work", "floor", "work", "floor", "work", "floor"]);
    expect(figures.ratio.count).toBe(3);
    expect(figures.work.requests).toBeGreaterThan(3);
  });

  it("ends with the first answer that is no success", async () => {
    const [floor, work] = await Promise.all([side("floor", []), side("work", [], 429)]);
    await expect(measureBeside(floor, work, { slices: 1, sliceMs: 20, warmUp: 1 })).rejects.toThrow("429");
    await floor.worker.stop();
    await work.worker.stop();
  });
});

async function side(name: string, order: string[], status = 200) {
  const server = createServer((_, response) => {
    order.push(name);
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  const worker: BenchWorker = {
    url: `http://127.0.0.1:${port}`,
    pid: process.pid,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return { worker, make: () => ({ path: "/" }) };
}
