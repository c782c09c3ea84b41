import { afterAll, beforeAll, expect, it } from "vitest";
import weights from "../../../../src/core/geocoding/search/weights.json" with { type: "json" };
import { type GeocodeWorld, openGeocodeWorld } from "./geocode-world.ts";

let world: GeocodeWorld;
beforeAll(async () => {
  world = await openGeocodeWorld();
});
afterAll(() => world.close());

interface Evidence {
  name: keyof typeof weights;
  value: number;
  weight: number;
  sum: number;
}

const FORWARD = "/v1/geocode/forward?query=Main%20Street,%20Meridale,%20MT";

it("explains a search by its readings and sums, to any key, where it is asked to", async () => {
  const asked = [
    await world.get(`${FORWARD}&explain=true`),
    await world.secret("GET", `${FORWARD}&explain=true`),
    await world.get("/v1/search/autocomplete?query=meridale,%20mt&explain=true"),
  ];
  for (const { status, body } of asked) {
    expect(status).toBe(200);
    const { readings, candidates, margin } = body.explanation;
    const town = readings.find(({ words }: { words: string }) => words === "meridale");
    expect(town.strength).toBeGreaterThan(0.3);
    expect(town.regions[0]).toMatchObject({ name: "Meridale", layer: "locality", by: "main", stateCode: "MT" });
    expect(candidates.length).toBeGreaterThan(1);
    for (const { score, evidence } of candidates) {
      const parts: Evidence[] = evidence;
      for (const { name, value, weight, sum } of parts) {
        expect(weight).toBe(weights[name]);
        expect(Math.abs(sum - value * weight)).toBeLessThan(0.01);
      }
      expect(Math.abs(score - parts.reduce((all, { sum }) => all + sum, 0))).toBeLessThan(0.02);
    }
    const scores = candidates.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(margin).toBeCloseTo(scores[0] - scores[1], 2);
  }
  const [{ body }] = asked;
  expect(body.explanation.candidates[0].name).toBe(body.addresses[0].street);
});

it("explains nothing otherwise, and finds the same", async () => {
  const plain = await world.get(FORWARD);
  expect(plain.body.explanation).toBeUndefined();
  expect((await world.get(`${FORWARD}&explain=false`)).body.explanation).toBeUndefined();
  expect((await world.get(`${FORWARD}&explain=1`)).body.addresses).toEqual(plain.body.addresses);
  expect(await world.get(`${FORWARD}&explain=maybe`)).toMatchObject({ status: 400 });
  // A position is not searched for.
  const point = await world.get("/v1/geocode/forward?query=48.99,-111.2&explain=true");
  expect(point.body.explanation).toEqual({ readings: [], candidates: [] });
});
