import { beforeAll, describe, expect, inject, it } from "vitest";
import { ANSWER_FIELDS } from "../../../conformance/answers.ts";
import { EFFECTS } from "../../../conformance/effects/index.ts";
import { PARAMETERS, type Parameter, type ParameterTable } from "../../../conformance/parameters.ts";
import { type Answer, call, control, type Json, makeWorld, type World, withGeodata } from "../../../support/world.ts";
import { answersOfTheSpecification } from "./conformance-answers.ts";

/** The specification's tables, row by row, asked of the Worker; docs/conformance.md has a row for each title. */

let world: World;
let answers: ReadonlyMap<string, readonly Json[]>;
beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  const rateLimits = Object.fromEntries(PARAMETERS.map(({ endpoint }) => [endpoint, 10_000]));
  world = await makeWorld({ geodata: true, settings: { rateLimits } });
  answers = await answersOfTheSpecification();
}, 240_000);

let devices = 0;

function ask({ method, path, endpoint }: ParameterTable, values: Json): Promise<Answer> {
  const key = world.keys.testSecret;
  if (method === "POST") {
    // A device sends once a second.
    const own = endpoint === "track" && values.deviceId !== undefined ? { deviceId: `device-${devices++}` } : {};
    return call("POST", path, { key, json: { ...values, ...own } });
  }
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return path.startsWith("/maps") ? picture(`${path}?${query}`, key) : call("GET", `${path}?${query}`, { key });
}

async function picture(path: string, key: string): Promise<Answer> {
  const response = await fetch(`${inject("baseUrl")}${path}`, { headers: { authorization: key } });
  const isJson = response.headers.get("content-type")?.includes("json");
  const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer()).toString("base64");
  return { status: response.status, headers: response.headers, body };
}

/** What each endpoint returns, in addition to meta. */
const RETURNS: Readonly<Record<string, readonly string[]>> = {
  track: ["events", "inAppMessages", "user"],
  context: ["city", "context", "country", "geofences", "live", "place", "postalCode", "state"],
  createBeacon: ["beacon"],
  forwardGeocode: ["addresses"],
  reverseGeocode: ["addresses"],
  ipGeocode: ["address", "ip", "proxy"],
  autocomplete: ["addresses"],
  searchUsers: ["users"],
  searchGeofences: ["geofences"],
  searchPlaces: ["places"],
  validateAddress: ["address", "result"],
  distance: ["routes"],
  matrix: ["destinations", "matrix", "origins"],
  match: ["distance", "geometry", "matchedPath"],
  directions: ["routes"],
  optimize: ["route"],
};

const nameOf = ({ name }: Parameter) => name.replace("[key]", "[team]");

for (const table of PARAMETERS) {
  // Their values are sent, and their effects seen, in conformance/effects.test.ts.
  const isShown = EFFECTS.some(({ endpoint }) => endpoint === table.endpoint);
  describe(`${table.method} ${table.path}`, () => {
    it("is answered with what is required and nothing else", async () => {
      const { status, body } = await ask(table, table.least);
      expect(status).toBe(200);
      if (table.endpoint === "staticMap") return;
      const { meta, ...rest } = body;
      expect([meta, Object.keys(rest).sort()]).toEqual([{ code: 200 }, RETURNS[table.endpoint]]);
    });

    it.each(table.parameters)("takes $name: $says", async (parameter) => {
      const name = nameOf(parameter);
      const rest: Json = { ...table.least, ...parameter.beside };
      const refused = async (values: Json) => {
        const { status, body } = await ask(table, values);
        expect([values[name], status, body.meta?.param]).toEqual([values[name], 400, name]);
        expect(body.meta.message).toContain(`${name}: `);
      };
      const { [name]: _, ...without } = rest;
      if (parameter.required) await refused(without);
      for (const value of isShown ? [] : (parameter.takes ?? [])) {
        expect([name, value, (await ask(table, { ...rest, [name]: value })).status]).toEqual([name, value, 200]);
      }
      for (const value of parameter.refuses ?? []) await refused({ ...rest, [name]: value });
      if (parameter.default !== undefined && !isShown) {
        const [absent, given] = [
          await ask(table, without),
          await ask(table, { ...without, [name]: parameter.default }),
        ];
        // The clock of a time zone goes on between the two.
        const still = ({ body }: Answer) => JSON.stringify(body).replace(/"currentTime":"[^"]*"/g, "");
        expect(still(absent)).toBe(still(given));
      }
    });
  });
}

/** What stands at "user.fraud.passed", in lists at any of their elements. */
function at(value: unknown, path: string): unknown[] {
  let found = [value];
  for (const part of path.split(".")) {
    found = found.flatMap((one) => (Array.isArray(one) ? one : [one]));
    found = found.map((one) => (one as Json | null | undefined)?.[part]).filter((one) => one !== undefined);
  }
  return found;
}

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  datetime: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value),
  "datetime or null": (value) => value === null || IS.datetime(value),
  dictionary: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  list: (value) => Array.isArray(value),
  Point: (value) => {
    const { type, coordinates } = value as { type?: unknown; coordinates?: unknown[] };
    return type === "Point" && coordinates?.length === 2 && Math.abs(Number(coordinates[0])) > 70;
  },
  quantity: (value) => {
    const { value: size, text } = value as { value?: unknown; text?: unknown };
    return IS.number(size) && IS.string(text);
  },
};

describe.each(ANSWER_FIELDS)("$name", ({ answer, fields }) => {
  it.each(fields)("has $path ($type)", ({ path, type }) => {
    const found = (answers.get(answer) ?? []).flatMap((one) => at(one, path));
    expect([path, found.length > 0]).toEqual([path, true]);
    for (const value of found) expect([path, value, IS[type](value)]).toEqual([path, value, true]);
    const [expected] = answers.get(`expected ${answer}`) ?? [];
    if (!expected) return;
    const values = at(expected, path);
    expect([path, values.length > 0]).toEqual([path, true]);
    expect([path, found.slice(-values.length)]).toMatchObject([path, values]);
  });
});

it("every answer whose fields are looked for is compared with what it must show", () => {
  const compared = new Set([...answers.keys()].flatMap((name) => name.split("expected ").slice(1)));
  expect(ANSWER_FIELDS.map(({ answer }) => answer).filter((name) => !compared.has(name))).toEqual([]);
});

describe("every answer", () => {
  it("is JSON, of every endpoint and of every mistake, but for a map, which is an image", async () => {
    for (const table of PARAMETERS) {
      for (const values of [table.least, {}]) {
        const { status, headers, body } = await ask(table, values);
        const isMap = table.path.startsWith("/maps") && status === 200;
        expect([table.path, status, headers.get("content-type")?.split(";")[0]]).toEqual([
          ...[table.path, status, isMap ? "image/png" : "application/json"],
        ]);
        if (!isMap) expect(body.meta.code).toBe(status);
      }
    }
  });

  it("comes from below /v1, but for a map", async () => {
    const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
    for (const { method, path, endpoint } of PARAMETERS) {
      expect(document.paths[path][method.toLowerCase()].operationId).toBe(endpoint);
      expect([path, path.startsWith("/v1/")]).toEqual([path, endpoint !== "staticMap"]);
    }
  });

  it("needs a publishable key, and a secret one for a search of users and for beacons", async () => {
    const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
    for (const { method, path, endpoint } of PARAMETERS) {
      const level = document.paths[path][method.toLowerCase()]["x-key-level"];
      const isSecret = ["searchUsers", "createBeacon"].includes(endpoint);
      expect([endpoint, level]).toEqual([endpoint, isSecret ? "secret" : "publishable"]);
    }
  });

  it("comes to a form as to JSON, where something is sent", async () => {
    const key = world.keys.testSecret;
    const form = { deviceId: "form", latitude: "48.99", longitude: "-111.2", accuracy: "5" };
    expect((await call("POST", "/v1/track", { key, form })).body.user.deviceId).toBe("form");
    const beacon = {
      ...{
        description: "Door",
        type: "ibeacon",
        uuid: "aaaaaaaa-0000-4000-8000-000000000001",
        major: "1",
        minor: "2",
        enabled: "true",
      },
      coordinates: "[-111.2,48.99]",
    };
    const made = await call("PUT", "/v1/beacons/doors/7", { key, form: beacon });
    expect(made.body.beacon.geometry).toEqual({ type: "Point", coordinates: [-111.2, 48.99] });
  });
});

describe("a search of geofences", () => {
  it("with more than 100 results needs them without geometry", async () => {
    const table = PARAMETERS.find(({ endpoint }) => endpoint === "searchGeofences") as ParameterTable;
    const more = await ask(table, { ...table.least, limit: 101 });
    expect([more.status, more.body.meta.param]).toEqual([400, "limit"]);
    for (const limit of [101, 1000])
      expect((await ask(table, { ...table.least, limit, includeGeometry: false })).status).toBe(200);
  });
});

describe("coarse and fine", () => {
  it("stand for their layers", async () => {
    const table = PARAMETERS.find(({ endpoint }) => endpoint === "reverseGeocode") as ParameterTable;
    const answered = async (layers: string) => {
      const { addresses } = (await ask(table, { ...table.least, layers })).body;
      return addresses.map(({ layer, formattedAddress }: Json) => `${layer} ${formattedAddress}`);
    };
    expect(await answered("coarse")).toEqual(await answered("postalCode,locality,county,state,country"));
    expect(await answered("fine")).toEqual(await answered("address,place"));
    expect((await answered("coarse")).length).toBeGreaterThan(1);
  });
});

describe("an autocomplete without near", () => {
  it("is around the place of the connection", async () => {
    const headers = { authorization: world.keys.testSecret, "x-forwarded-for": "203.0.113.9" };
    const from = async (path: string) =>
      (await control<{ body: Json }>("fetchFrom", { country: "US", method: "GET", path, headers })).body;
    const { latitude, longitude } = (await from("/v1/geocode/ip")).address as { latitude: number; longitude: number };
    const query = "/v1/search/autocomplete?query=meri&limit=5";
    // The clock of a place goes on between two answers.
    const found = async (path: string) =>
      JSON.stringify((await from(path)).addresses).replaceAll(/"currentTime":"[^"]*"/g, "");
    const around = await found(query);
    expect(around).toContain('"distance"');
    expect(around).toBe(await found(`${query}&near=${latitude},${longitude}`));
  });
});
