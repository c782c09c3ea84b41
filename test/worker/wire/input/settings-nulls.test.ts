import { expect, it } from "vitest";
import { z } from "zod";
import { patchProjectSettings } from "../../../../src/worker/http/project/settings.ts";
import { ApiError } from "../../../../src/worker/platform/errors.ts";
import { validate } from "../../../../src/worker/wire/input/validate.ts";

/** PATCH /v1/settings: a null at any depth, found by the schema itself. */

type Schema = z.core.JSONSchema.JSONSchema;
const body = patchProjectSettings.body as z.ZodType;

/** Every place of a JSON schema below its root; entries of a dictionary are called "x". */
function placesOf({ properties = {}, additionalProperties, anyOf = [] }: Schema): string[][] {
  const named = Object.entries({
    ...properties,
    ...(typeof additionalProperties === "object" && { x: additionalProperties }),
  });
  return [
    ...named.flatMap(([name, schema]) => [[name], ...placesOf(schema as Schema).map((rest) => [name, ...rest])]),
    ...anyOf.flatMap((one) => placesOf(one as Schema)),
  ];
}

const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
const places = [...new Map(placesOf(schema).map((place) => [place.join("."), place])).values()];
/** null takes an entry or a list away. */
const REMOVES =
  /^(chainMappings\.x|chainMetadata\.x(\.x)?|placeFilters\.(chain|category)|geocoding\.forwardLayers|beacons\.(uuids|uids)|tokens\.keys\.x|sdk\.(?!logLevel)\w+)$/;

it("knows the places", () => {
  expect(places.length).toBeGreaterThan(40);
});

it.each(places)("null in the settings at %s %s %s removes what it names or is refused by name", (...place) => {
  const path = place.filter((part) => part !== undefined);
  const given = path.reduceRight<unknown>((value, name) => ({ [name]: value }), null) as Record<string, unknown>;
  if (REMOVES.test(path.join("."))) {
    expect(validate(body, given)).toMatchObject(given);
    return;
  }
  try {
    validate(body, given);
    expect.unreachable(`${path.join(".")} took null`);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    // A key without its algorithm is refused for that.
    const [first, ...rest] = path[0] === "tokens" && path.length > 3 ? ["tokens", "keys", "x", "alg"] : path;
    expect(error).toMatchObject({ status: 400, param: first + rest.map((part) => `[${part}]`).join("") });
  }
});
