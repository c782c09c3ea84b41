import { expect, it } from "vitest";
import { signsTogether } from "../../../src/dashboard/pages/trips/signs-together.ts";

const sign = (id: string, latitude: number) => ({
  id,
  name: id,
  sign: "destination",
  location: { latitude, longitude: 8 },
});

it("trips to one place are one sign with all of their names, or how many there are", () => {
  expect(signsTogether([sign("a", 1), sign("b", 2), sign("c", 1)]).map(({ id, name }) => [id, name])).toEqual([
    ["a", "a, c"],
    ["b", "b"],
  ]);
  expect(signsTogether(["a", "b", "c", "d", "e"].map((id) => sign(id, 1)))[0].name).toBe("a, b, 3 more");
  expect(signsTogether(["a", "b", "c"].map((id) => sign(id, 1)))[0].name).toBe("a, b, c");
  expect(signsTogether([])).toEqual([]);
});
