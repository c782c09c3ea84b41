import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  dictionary,
  flag,
  json,
  moment,
  number,
  oneOf,
  optionalText,
  text,
} from "../../../src/worker/wire/input/fields.ts";
import { SentFields, sparse } from "../../../src/worker/wire/input/sparse.ts";
import { seededRandom } from "../../bench/support/random.ts";

/** Of an update of a device: a field of each kind. */
const update = z.object({
  deviceId: text(),
  userId: optionalText(),
  latitude: number({ min: -90, max: 90 }),
  longitude: number({ min: -180, max: 180 }),
  accuracy: number({ above: 0, max: 1000 }),
  foreground: flag().optional(),
  metadata: dictionary(2).optional(),
  deviceType: oneOf(["iOS", "Android", "Web"]).optional(),
  updatedAt: moment().optional(),
  source: optionalText(),
  units: oneOf(["metric", "imperial"]).default("imperial"),
  beacons: json(z.array(z.unknown())).optional(),
});

const BODY = { deviceId: "d1", latitude: 40.7, longitude: -73.9, accuracy: 5, foreground: true };

/** Asked three times, as a set of fields is made when it comes a second time. */
function settled(schema: z.ZodType, input: Record<string, unknown>): ReturnType<typeof sparse> {
  sparse(schema, input);
  sparse(schema, input);
  return sparse(schema, input);
}

describe("a schema without the optional fields that were not sent", () => {
  it("is made once for all inputs with the same fields, when they come a second time", () => {
    const body = { ...BODY, source: "BEACON_ENTER" };
    expect(sparse(update, body)).toBe(update);
    const second = sparse(update, { ...body, latitude: 1 });
    expect(second).not.toBe(update);
    expect(sparse(update, body)).toBe(second);
    expect(second instanceof SentFields && Object.keys(second.schema.shape)).toEqual([
      ...["deviceId", "latitude", "longitude", "accuracy", "foreground", "source"],
    ]);
  });

  it("says of any update what the whole one says: the same values, or the same broken rules in the same order", () => {
    const random = seededRandom(5);
    const values = [undefined, null, "", "x", "7", 7, -1e9, true, "true", [], {}, { a: 1 }, "2026-01-31T09:30:00Z"];
    const one = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
    const names = Object.keys(update.shape);
    for (let i = 0; i < 600; i++) {
      const input: Record<string, unknown> = random() < 0.2 ? {} : { ...BODY };
      for (let n = Math.floor(random() * 5); n > 0; n--) input[one(names)] = one(values);
      const [whole, part] = [update.safeParse(input), settled(update, input).safeParse(input)];
      expect(part.error?.issues).toEqual(whole.error?.issues);
      expect(JSON.stringify(part.data)).toBe(JSON.stringify(whole.data));
    }
  });

  it("has the defaults of its fields, each input its own lists, and is the whole one where rules speak of several fields or others are let through", () => {
    const fields = { a: z.string(), b: z.number().optional(), c: z.number().default(3), d: z.string().optional() };
    const many = { ...fields, e: z.string().optional(), f: z.string().optional() };
    const listed = z.object({ ...many, list: z.array(z.string()).default(["y"]) });
    const data = () => settled(listed, { a: "x" }).safeParse({ a: "x", z: 1 }).data as { list: string[] };
    data().list.push("z");
    expect(data()).toEqual({ a: "x", c: 3, list: ["y"] });
    const paired = z.object(many).refine(({ b, d }) => b !== undefined || d !== undefined, { error: "b or d" });
    expect(settled(paired, { a: "x" })).toBe(paired);
    const loose = z.looseObject(many);
    expect(settled(loose, { a: "x" })).toBe(loose);
  });
});
