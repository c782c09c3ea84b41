import { describe, expect, it } from "vitest";
import { formFields, queryFields, readBody } from "../../../src/worker/http/serve/body.ts";
import { queryOf, readParameters } from "../../../src/worker/http/serve/query-string.ts";
import {
  isWithinLimits,
  MAX_DEPTH,
  MAX_ITEMS,
  MAX_NAME_LENGTH,
  MAX_PARAMETERS,
} from "../../../src/worker/wire/input/input-limits.ts";

const fieldsOf = (text: string) => formFields(readParameters(text));
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const bodyOf = (body: string, type = "application/json") =>
  readBody(new Request("http://a.example", { method: "POST", body, headers: { "content-type": type } }));

describe("a query string and a form", () => {
  it("have at most a thousand parameters, with names of a bounded length", () => {
    const many = (count: number) => Array(count).fill("a=1").join("&");
    expect(queryOf(`http://a.example?${many(MAX_PARAMETERS)}`)).toHaveLength(MAX_PARAMETERS);
    for (const text of [many(MAX_PARAMETERS + 1), "x".repeat(MAX_NAME_LENGTH + 1)]) {
      expect(() => queryOf(`http://a.example?${text}`)).toThrow("Too many parameters");
      expect(() => readParameters(text)).toThrow("at most 1000 parameters, with names of at most 512 characters");
    }
    expect(readParameters("x".repeat(MAX_NAME_LENGTH))).toHaveLength(1);
  });

  it("number empty brackets, and go on where numbers were named", () => {
    expect(fieldsOf("a[]=x&a[]=y&a[]=z")).toEqual({ a: ["x", "y", "z"] });
    expect(fieldsOf("a[0]=x&a[]=y&a[1]=z&a[]=w")).toEqual({ a: ["x", "z", "w"] });
    expect(fieldsOf("a[b][]=1&a[b][]=2&a[c]=3&b[][d]=4")).toEqual({ a: { b: [1, 2], c: 3 }, b: { "": { d: 4 } } });
    expect(fieldsOf("a=1&a[]=2")).toEqual({ a: [2] });
  });

  it("have no names that every object has", () => {
    expect(fieldsOf("toString[]=1&toString[x]=2&hasOwnProperty[y]=3")).toEqual({
      toString: { 0: 1, x: 2 },
      hasOwnProperty: { y: 3 },
    });
    expect(
      queryFields([
        ["__proto__[a]", "1"],
        ["a[constructor]", "2"],
        ["a[__proto__][b]", "2"],
        ["__proto__", "3"],
      ]),
    ).toEqual({ a: { constructor: "2" } });
  });
});

describe("a JSON body", () => {
  it("has at most 32 levels, and keys of a bounded length", async () => {
    expect(await bodyOf(nested(MAX_DEPTH))).toHaveProperty("a");
    const key = (length: number) => JSON.stringify({ b: { ["k".repeat(length)]: 1 } });
    expect(await bodyOf(key(MAX_NAME_LENGTH))).toHaveProperty("b");
    for (const body of [nested(MAX_DEPTH + 1), nested(11_000), `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`])
      await expect(bodyOf(body)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(`at most 32 levels, ${MAX_ITEMS} items`),
      });
    await expect(bodyOf(key(MAX_NAME_LENGTH + 1))).rejects.toMatchObject({ status: 400 });
  });

  it("has a bounded number of items in an array and in an object", () => {
    expect(isWithinLimits(Array(MAX_ITEMS).fill(1))).toBe(true);
    expect(isWithinLimits({ a: Array(MAX_ITEMS + 1).fill(1) })).toBe(false);
    const object = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1]));
    expect(isWithinLimits(object(MAX_ITEMS))).toBe(true);
    expect(isWithinLimits(object(MAX_ITEMS + 1))).toBe(false);
  });

  it("counts the levels of arrays too", () => {
    expect(isWithinLimits([[[1]]], 3)).toBe(true);
    expect(isWithinLimits([[[1]]], 2)).toBe(false);
    expect(isWithinLimits({ a: [{ b: null }] }, 2)).toBe(false);
  });

  it("that breaks off is 400", async () => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.error(new Error("Network connection lost."));
      },
    });
    const request = new Request("http://a.example", { method: "POST", body: stream, duplex: "half" } as RequestInit);
    await expect(readBody(request)).rejects.toMatchObject({ status: 400 });
  });
});
