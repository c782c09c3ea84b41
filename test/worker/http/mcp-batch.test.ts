import { describe, expect, it } from "vitest";
import { call, eventually, makeWorld, sql, untilLimited } from "../../support/world.ts";

describe("POST /mcp", () => {
  it("counts each message of a batch, in usage and by the limit, and rejects more than ten", async () => {
    const own = await makeWorld();
    const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
    const send = (count: number, step = 1) =>
      call("POST", "/mcp", {
        headers: {
          authorization: own.keys.testPublishable,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": "2025-03-26",
          "x-forwarded-for": "10.38.9.9",
        },
        body: JSON.stringify(Array.from({ length: count }, (_, id) => list(id * step))),
      });
    const many = await send(11);
    expect([many.status, many.body.error]).toEqual([
      400,
      { code: -32600, message: "Too many messages in one request. Send up to 10." },
    ]);
    const same = await send(3, 0);
    expect([same.status, same.body.error.code]).toEqual([400, -32600]);
    const answered = await send(3);
    expect(answered.status).toBe(200);
    expect(String(answered.body).match(/"find_place"/g)).toHaveLength(3);
    const [row] = await eventually(
      () => sql("SELECT calls FROM usage WHERE project = ? AND endpoint = 'mcp'", own.id),
      (found) => found.length > 0,
    );
    expect(row.calls).toBe(3);
    const statuses = await untilLimited(() => Promise.all(Array.from({ length: 15 }, () => send(10))));
    const passed = statuses.filter(({ status }) => status === 200).length;
    expect(passed).toBeLessThan(15);
    const broken = await call("POST", "/mcp", {
      headers: {
        authorization: own.keys.testPublishable,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: "{",
    });
    expect([broken.status, broken.body.error.code]).toEqual([400, -32700]);
  });
});
