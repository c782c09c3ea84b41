import { describe, expect, it } from "vitest";
import { heldRequest, holdRequests, isStopping } from "../../../src/worker/platform/hold.ts";

const request = (body: string) => new Request("http://x/v1/track", { method: "POST", body });

describe("a server that is about to stop", () => {
  it("goes on where nobody announces a signal, or the one who does is gone", async () => {
    await holdRequests({});
    expect(isStopping()).toBe(false);
    await expect(holdRequests({ STOPPING: { fetch: () => Promise.reject(new Error("gone")) } })).rejects.toThrow();
    expect(isStopping()).toBe(false);
  });

  it("reads new requests, and responds with 503 when workerd has got the signal", async () => {
    const signal = Promise.withResolvers<void>();
    const holding = holdRequests({ STOPPING: { fetch: () => signal.promise } });
    expect(isStopping()).toBe(true);
    const requests = [request("a"), request("b")];
    let left = 0;
    const statuses = requests.map(async (one) => {
      const { status, headers } = await heldRequest(one);
      left++;
      return [status, headers.get("retry-after")];
    });
    await new Promise((later) => setTimeout(later, 80));
    expect([left, requests.map(({ bodyUsed }) => bodyUsed)]).toEqual([0, [true, true]]);
    signal.resolve();
    await holding;
    expect(await Promise.all(statuses)).toEqual([
      [503, "1"],
      [503, "1"],
    ]);
    expect((await heldRequest(new Request("http://x/"))).status).toBe(503);
  });
});
