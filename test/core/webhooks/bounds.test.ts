import { describe, expect, it } from "vitest";
import { ErrorRates } from "../../../src/core/webhooks/error-rates.ts";
import { mintSecret, SECRET_BYTES } from "../../../src/core/webhooks/signature.ts";
import { BUCKET_SECONDS } from "../../../src/core/webhooks/sink-settings.ts";
import { fillIn, parseTemplate } from "../../../src/core/webhooks/template.ts";

describe("a template", () => {
  const places = (count: number, text = "") => parseTemplate(`${text}{{a}}`.repeat(count));

  it("has at most 100 places between texts", () => {
    expect(places(100, "x").template).toHaveLength(200);
    expect(places(101, "x")).toEqual({ problem: expect.stringContaining("100") });
  });

  it("is told with the beginning of what cannot be read", () => {
    const { problem } = parseTemplate(`{{${"!".repeat(50)}}}`);
    expect(problem).toContain(`{{${"!".repeat(40)}}}`);
  });

  it("may be text alone, or nothing", () => {
    expect(parseTemplate("hello")).toEqual({ template: ["hello"] });
    expect(parseTemplate("")).toEqual({ template: [] });
    expect(fillIn(parseTemplate("{{a.b}}").template!, { a: "text" }, "plain")).toBe("");
    expect(fillIn(parseTemplate("{{json a}}").template!, { a: { b: 1 } }, "form")).toBe("%7B%22b%22%3A1%7D");
  });
});

describe("a webhook's secret", () => {
  it("is 32 random bytes in base64 behind its prefix, and of no other number", () => {
    expect(SECRET_BYTES).toBe(32);
    expect(mintSecret(new Uint8Array(32))).toBe(`whsec_${"A".repeat(43)}=`);
    for (const length of [31, 33]) expect(() => mintSecret(new Uint8Array(length))).toThrow();
  });
});

it("an object of a bucket holds a minute's events by default", () => {
  expect(BUCKET_SECONDS).toBe(60);
});

it("the share of failed calls is of those since five minutes ago, and of 20 calls at least", () => {
  const rates = new ErrorRates();
  const minute = 60_000;
  const note = (calls: number, failures: number, at: number) =>
    rates.note([{ scope: 2, calls, failures }], "2026-11", at * minute).map(({ share }) => share);
  expect(note(0, 0, 0)).toEqual([]);
  expect(note(100, 100, 1)).toEqual([100]);
  expect(note(100, 100, 5)).toEqual([100]);
  expect(note(119, 100, 6)).toEqual([]);
  expect(note(120, 101, 6)).toEqual([5]);
  // A scope that was not there then has had no calls.
  expect(rates.note([{ scope: 3, calls: 20, failures: 1 }], "2026-11", 7 * minute)).toEqual([{ scope: 3, share: 5 }]);
});
