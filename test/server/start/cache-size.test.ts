import { expect, it } from "vitest";
import { cacheMegabytes } from "../../../src/server/start/cache-size.ts";

const GB = 2 ** 30;

it("geodata is cached in a sixteenth of the memory, between what fits an isolate of Cloudflare and 256 MB", () => {
  const sizes = [0.5, 0.8, 1, 2, 3.5, 4, 24].map((gigabytes) => cacheMegabytes(1, undefined, gigabytes * GB));
  expect(sizes).toEqual(["52", "52", "64", "128", "224", "256", "256"]);
});

it("an operator sets another size within bounds", () => {
  expect(cacheMegabytes(1, "16", GB)).toBe("16");
  expect(cacheMegabytes(1, "16384", GB)).toBe("16384");
  for (const wrong of ["15", "16385", "1e3", "64MB", "-1"])
    expect(() => cacheMegabytes(1, wrong, GB)).toThrow("GEODATA_CACHE_MB must be an integer from 16 to 16384");
});
