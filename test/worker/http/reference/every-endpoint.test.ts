import { describe, expect, inject, it } from "vitest";
import { COMPUTING, LIMITED_ENDPOINTS, periodOf } from "../../../../src/core/limits/table.ts";
import { isNight } from "../../../support/night.ts";
import { dereferenced } from "../../../support/open-api.ts";
import { call, eventually, get, makeWorld, sql, untilLimited } from "../../../support/world.ts";

/**
 * What holds for every endpoint alike: no key, a wrong key, the wrong level, a bad value, the limit. The list is the
 * Worker's own, from /openapi.json, so an endpoint that is added is in here.
 */
interface Operation {
  method: string;
  path: string;
  level: "publishable" | "secret" | "open" | "member";
  /** Whether it has the form of another service. */
  isPeer: boolean;
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  body: Record<string, unknown> | undefined;
  /** The statuses it may answer. */
  statuses: number[];
}

const document = dereferenced(await (await fetch(`${inject("baseUrl")}/openapi.json`)).json());
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  // biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is read as JSON
  Object.entries(methods as Record<string, any>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, "x"),
    level: operation["x-key-level"],
    isPeer: operation["x-peer"] !== undefined,
    operationId: operation.operationId,
    parameters: operation.parameters ?? [],
    body: operation.requestBody?.content["application/json"].schema,
    statuses: Object.keys(operation.responses).map(Number),
  })),
);
/** Those of peers answer errors as other services do: test/worker/http/peers. */
const peers = operations.filter(({ isPeer }) => isPeer);

/** Those of the dashboard take no key: test/dashboard/every-role.worker.test.ts. */
const keyed = operations.filter(({ level, isPeer }) => !isPeer && (level === "publishable" || level === "secret"));

/** One request to an operation; whatever it is answered must be among the statuses that the document tells. */
async function send({ method, path, body, statuses, operationId }: Operation, key?: string, query = "") {
  const answer = await call(method, `${path}${query}`, { key, ...(body ? { json: {} } : {}) });
  if (!statuses.includes(answer.status)) throw new Error(`${operationId} answers ${answer.status}, undocumented`);
  return answer;
}

/** What the operation needs beside the parameter that is looked at, with the document's own examples. */
/** The values that a parameter, or an item of a list, may have. */
function valuesOf({ enum: values, items }: Record<string, unknown>): unknown[] | undefined {
  return (values ?? (items as { enum?: unknown } | undefined)?.enum) as unknown[] | undefined;
}

function requiredOf({ parameters }: Operation, looked: string): string {
  const needed = parameters.filter(
    (parameter) =>
      parameter.in === "query" && parameter.name !== looked && (parameter.required || parameter.name === "near"),
  );
  return needed.map(({ name, schema }) => `&${name}=${schema.example ?? valuesOf(schema)?.[0] ?? "0,0"}`).join("");
}

describe("every endpoint", () => {
  it("is on the list", () => {
    expect(operations.length).toBeGreaterThanOrEqual(22);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("has a limit that an operator can name", () => {
    const byScope = keyed.filter(
      ({ operationId }) => operationId !== "replayTrack" && !operationId.startsWith("ingest"),
    );
    expect(byScope.map(({ operationId }) => operationId).sort()).toEqual(
      LIMITED_ENDPOINTS.filter((name) => name !== COMPUTING && periodOf(name) === "second"),
    );
  });

  it.each(keyed)("$method $path refuses a request without a key", async (operation) => {
    const answer = await send(operation);
    expect(answer.status).toBe(401);
    expect(answer.body.meta).toMatchObject({ code: 401, message: expect.stringContaining("Authorization") });
    expect(answer.headers.get("x-radar-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(peers)("$method $path refuses a request without a key, in the form of its service", async (operation) => {
    const { status, body } = await send(operation);
    expect([status, JSON.stringify(body).includes("Authorization"), body.meta]).toEqual([401, true, undefined]);
  });

  it.each(keyed)("$method $path refuses a key nobody has and never repeats it", async (operation) => {
    const key = `prj_test_pk_${"0".repeat(40)}`;
    const answer = await send(operation, key);
    expect(answer.status).toBe(401);
    expect(JSON.stringify(answer.body)).not.toContain(key);
  });

  it("tells in the document whatever it answers to ids nobody has, odd paths, broken bodies and a paused project", async () => {
    const { keys } = await makeWorld();
    const paused = await makeWorld({ disabled: true });
    const seen = new Set<number>();
    for (const [at, operation] of operations.entries()) {
      const { method, path, body } = operation;
      const pathOf = (id: string) => path.replaceAll(/\/x(?=\/|$)/g, `/${id}`);
      const odd = [
        () => send(operation, paused.keys.testSecret),
        () => send({ ...operation, path: pathOf("%2E%2E%2F%00") }, keys.testSecret),
        () => send({ ...operation, path: pathOf("x".repeat(300)) }, keys.testSecret),
        () => send(operation, undefined, `?publishableKey=${keys.testSecret}`),
        () => send(operation, keys.testSecret, "?limit=0&radius=-1&mode=fly&coordinates=91,0&near=x"),
      ];
      // By day each endpoint gets two of them, by turns.
      const tried = isNight ? odd : [odd[at % odd.length], odd[(at + 2) % odd.length]];
      const answers = [await send(operation, keys.testSecret)];
      for (const one of tried) answers.push(await one());
      for (const content of body ? ["{", "[]"] : []) {
        const answer = await call(method, path, { key: keys.testSecret, body: content });
        if (!operation.statuses.includes(answer.status))
          throw new Error(`${operation.operationId} answers ${answer.status}, undocumented`);
        answers.push(answer);
      }
      for (const { status } of answers) seen.add(status);
      expect([operation.operationId, answers.find(({ status }) => status >= 500)?.body]).toEqual([
        operation.operationId,
        undefined,
      ]);
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining([200, 400, 401, 402, 404]));
  }, 240_000);

  it("with level secret refuses a publishable key with 403", async () => {
    const { keys } = await makeWorld();
    for (const operation of keyed.filter(({ level }) => level === "secret")) {
      const answer = await send(operation, keys.testPublishable);
      expect([operation.operationId, answer.status, answer.body.meta.code]).toEqual([operation.operationId, 403, 403]);
    }
  });

  it("names the parameter that is missing", async () => {
    const { keys } = await makeWorld();
    for (const operation of keyed) {
      const fields = operation.parameters
        .filter((parameter) => parameter.in === "query" && parameter.required)
        .map(({ name }) => name);
      const required = ((operation.body?.required as string[] | undefined) ?? []).concat(fields);
      if (required.length === 0) continue;
      const answer = await send(operation, keys.testSecret);
      expect([operation.operationId, answer.status, answer.body.meta.param, answer.body.meta.message]).toEqual([
        operation.operationId,
        400,
        required[0],
        `${required[0]}: Required.`,
      ]);
    }
  });

  it("refuses numbers outside their range, by name and with the range", async () => {
    // Some endpoints have more numbers than calls in a second.
    const rateLimits = Object.fromEntries(keyed.map(({ operationId }) => [operationId, 1000]));
    const { keys } = await makeWorld({ settings: { rateLimits } });
    for (const operation of keyed) {
      const numbers = operation.parameters.filter(
        ({ schema }) => schema.maximum !== undefined && schema.minimum !== undefined,
      );
      for (const { name, schema } of numbers) {
        const rest = requiredOf(operation, name);
        const answer = await send(operation, keys.testSecret, `?${name}=${Number(schema.maximum) + 1}${rest}`);
        expect([operation.operationId, answer.status, answer.body.meta]).toEqual([
          operation.operationId,
          400,
          {
            code: 400,
            param: name,
            message: expect.stringContaining(
              `${name}: Invalid ${name}. Valid range: [${schema.minimum}, ${schema.maximum}].`,
            ),
          },
        ]);
        const wrong = await send(operation, keys.testSecret, `?${name}=many${rest}`);
        expect([operation.operationId, wrong.status, wrong.body.meta.param]).toEqual([
          operation.operationId,
          400,
          name,
        ]);
      }
    }
  });

  it("answers 429 above its limit, says so in the headers, and lets through again later", async () => {
    // These count per device.
    const perDevice = (name: string) => name === "track" || name === "replayTrack" || name.startsWith("ingest");
    const names = keyed.filter(({ operationId }) => !perDevice(operationId));
    const world = await makeWorld({
      settings: { rateLimits: Object.fromEntries(names.map(({ operationId }) => [operationId, 2])) },
    });
    // By day one of three: the limit is read from a table by name, which test/core/limits/rates.test.ts has for each.
    for (const operation of isNight ? names : names.filter((_, at) => at % 3 === 0)) {
      // At once: one after the other they might take the second in which they are counted.
      const answers = await untilLimited(() =>
        Promise.all([1, 2, 3, 4, 5].map(() => send(operation, world.keys.testSecret))),
      );
      const limited = answers.filter(({ status }) => status === 429);
      expect([operation.operationId, limited.length]).toEqual([
        operation.operationId,
        expect.toSatisfy((n: number) => n >= 1 && n <= 3),
      ]);
      const { headers, body } = limited[0];
      expect(body.meta).toMatchObject({ code: 429, type: "second" });
      expect(headers.get("x-ratelimit-limit")).toBe("2");
      expect(headers.get("x-ratelimit-remaining")).toBe("0");
      expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 60);
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await send(names[0], world.keys.testSecret)).status).not.toBe(429);
  }, 90_000);

  it("counts its calls for the project", async () => {
    const world = await makeWorld();
    await get("/v1/config", world.keys.testPublishable);
    await get("/v1/config", world.keys.livePublishable);
    const { sql, eventually } = await import("../../../support/world.ts");
    const rows = await eventually(
      () => sql("SELECT endpoint, live, calls FROM usage WHERE project = ? ORDER BY live", world.id),
      (found) => found.length === 2,
    );
    expect(rows).toEqual([
      { endpoint: "config", live: 0, calls: 1 },
      { endpoint: "config", live: 1, calls: 1 },
    ]);
  });

  it("does not count a call that came too often", async () => {
    const world = await makeWorld({ settings: { rateLimits: { config: 2 } } });
    let [sent, taken] = [0, 0];
    // Six together: one after the other, they may take longer than the seconds in which they are counted.
    await untilLimited(async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => get("/v1/config", world.keys.testPublishable)));
      sent += answers.length;
      taken += answers.filter(({ status }) => status === 200).length;
      return answers;
    });
    expect(taken).toBeLessThan(sent);
    const rows = await eventually(
      () => sql("SELECT calls FROM usage WHERE project = ?", world.id),
      // Calls may be counted in more than one write.
      (found) => found.length === 1 && Number(found[0].calls) >= taken,
    );
    expect(rows).toEqual([{ calls: taken }]);
  });
});
