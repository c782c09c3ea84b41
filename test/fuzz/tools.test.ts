import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { ProjectKeys } from "../../src/server/project/projects.ts";
import { measure } from "../growth/judge.ts";
import { fuzz } from "./fuzz.ts";

describe("the judge of growth", () => {
  const judged = (cost: (length: number) => number) => measure(async (length) => cost(length), 1000);

  it("finds what grows faster than the text, or costs too much, and nothing else", async () => {
    expect(await judged((length) => length / 2000)).not.toHaveProperty("problem");
    expect((await judged((length) => (length * length) / 2_000_000)).problem).toMatch(/^costs 4\.0 times/);
    expect((await judged((length) => length / 500)).problem).toMatch(/^costs 2\.00 s/);
    expect(await judged(() => 0.05)).not.toHaveProperty("problem");
  });

  it("is not misled by one slow run", async () => {
    let runs = 0;
    expect(await judged((length) => (runs++ === 0 ? 0.9 : length / 10_000))).not.toHaveProperty("problem");
  });

  it.each([
    ["linear", 1, false],
    ["quadratic", 2, true],
  ])("is not misled by a clock that counts in steps of 10 ms: %s", async (_, power, isProblem) => {
    let used = 0.003;
    const clock = () => Math.floor(used * 100) / 100;
    const measured = await judged((length) => {
      const before = clock();
      used += 0.0699 * (length / 1000) ** power;
      return clock() - before;
    });
    expect(measured.problem !== undefined).toBe(isProblem);
  });
});

describe("the fuzzer", () => {
  const keys = { testPublishable: "pk", testSecret: "sk", livePublishable: "lp", liveSecret: "ls" } as ProjectKeys;
  const answers = {
    "application/json": {
      schema: { type: "object", required: ["meta", "count"], properties: { count: { type: "integer" } } },
    },
  };
  const operation = {
    operationId: "count",
    "x-key-level": "secret",
    parameters: [{ name: "size", in: "query", schema: { type: "integer", minimum: 0, maximum: 1_000_000 } }],
    responses: { 200: { content: answers } },
  };

  /** What the fuzzer finds in a server of this manner. */
  async function findings(manner: (url: URL) => [status: number, body: unknown]) {
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const document = {
        paths: { "/count": { get: operation } },
        components: { schemas: { Error: { type: "object" } } },
      };
      const [status, body] = url.pathname === "/openapi.json" ? [200, document] : manner(url);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const platform = {
        url,
        pid: process.pid,
        keys,
        settingsKeys: keys,
        member: { cookie: "", project: 0 },
        projectId: 1,
        state: "",
        stop: async () => {},
      };
      return (await fuzz(platform, { runs: process.env.EVERY_LOOK ? 400 : 100, seed: 1 })).faults;
    } finally {
      server.close();
    }
  }
  const fine = { meta: { code: 200 }, count: 1 };

  it("finds a crash, and tells the smallest request that makes it", async () => {
    const found = await findings((url) =>
      Number(url.searchParams.get("size")) > 5000 ? [500, { meta: { code: 500 } }] : [200, fine],
    );
    const [crash] = found.filter(({ what }) => what === "status 500");
    expect(crash.curl).toMatch(/^curl -i -X GET 'http:\/\/localhost:8787\/count\?size=5001'/);
  });

  it("finds an answer that is not what the reference shows, and a status it does not name", async () => {
    const found = await findings((url) =>
      url.searchParams.get("size") === "0"
        ? [418, {}]
        : [200, url.searchParams.has("size") ? { meta: fine.meta, count: "1" } : fine],
    );
    expect(found.map(({ what }) => what).sort()).toEqual([
      expect.stringMatching(/^schema: count: /),
      "status 418, which the reference does not name",
    ]);
  });

  it("finds nothing where there is nothing", async () => {
    expect(await findings(() => [200, fine])).toEqual([]);
  });
});
