import { describe, expect, it, vi } from "vitest";
import { InDebt } from "../../../src/core/geo/pace.ts";
import { ServedCall } from "../../../src/worker/http/serve/served-call.ts";

const request = new Request("http://h/v1/thing");

function callFrom(caller: object | undefined, client: { ip: string | undefined } = { ip: "192.0.2.7" }) {
  const notes = { leftOut: undefined as Set<string> | undefined, credits: undefined, pace: undefined };
  const call = new ServedCall(
    {
      ...{ params: { id: "a" }, query: { limit: 5 }, body: {}, caller: caller as never, env: {} as never, request },
      ...{ requestId: "r", now: 7, member: undefined },
    },
    {
      waitUntil: () => {},
      notes,
      note: {},
      payer: { caller: caller as never, client, isSigned: false },
    },
  );
  return { call, notes };
}

describe("a call with other parts", () => {
  it("keeps the address, the time and the rest", () => {
    const { call } = callFrom({ scope: 1 });
    const other = call.with({ body: { name: "x" }, params: { id: "b" } });
    expect([other.ip, other.now, other.requestId, other.query]).toEqual(["192.0.2.7", 7, "r", { limit: 5 }]);
    expect([other.params, other.body, other.caller]).toEqual([{ id: "b" }, { name: "x" }, { scope: 1 }]);
    expect([call.params, call.body]).toEqual([{ id: "a" }, {}]);
    expect(other.with({ params: {} }).ip).toBe("192.0.2.7");
  });

  it("reports what it leaves out in the same response", () => {
    const { call, notes } = callFrom(undefined);
    call.with({ params: {} }).leftOut("roads");
    expect([...(notes.leftOut ?? [])]).toEqual(["roads"]);
  });

  it("counts the work of a project without reading the client's address, which costs a tenth of a small request", async () => {
    const read = vi.fn(() => "192.0.2.8");
    const client = {
      get ip() {
        return read();
      },
    };
    for (const caller of [{ scope: 1 }, { scope: 1, secret: true }, { scope: 1, member: { id: "m" } }]) {
      const { call } = callFrom(caller, client);
      await call.pace.spend(1);
      call.pace.end();
    }
    const { pace } = callFrom(undefined, client).call;
    pace.end();
    expect(read).not.toHaveBeenCalled();
    await pace.spend(1);
    pace.end();
    expect(read).toHaveBeenCalledOnce();
  });

  it("is charged to the sender of the request, whoever the other caller is", async () => {
    vi.stubGlobal("scheduler", { wait: async () => {} });
    try {
      const { call } = callFrom(undefined);
      const { pace } = call.with({ caller: { secret: true } as never });
      expect(call.pace).toBe(pace);
      // Secret keys may compute without limit. An address is in debt after ten seconds.
      await pace.spend(10_000_000);
      pace.settle();
      expect(() => callFrom(undefined).call.pace.spend(50_000)).toThrow(InDebt);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
