import { describe, expect, it } from "vitest";
import { SendLanes } from "../../../src/worker/objects/webhooks/send-lanes.ts";

/** Work whose pieces end when the test says so. */
function workOf(pieces: string[]) {
  const sending = new Map<string, () => void>();
  const events: string[] = [];
  return {
    sending,
    events,
    next: () => pieces.shift(),
    send: (piece: string) => {
      events.push(`send ${piece}`);
      return new Promise<void>((end) => sending.set(piece, end));
    },
    onLast: () => void events.push("last"),
  };
}

describe("lanes of a sender", () => {
  it("send up to so many pieces at a time, of all kinds together, and each lane takes the next one", async () => {
    const lanes = new SendLanes();
    const [first, second] = [workOf(["a", "b", "c"]), workOf(["x"])];
    lanes.fill(2, first);
    lanes.fill(2, second);
    expect([lanes.size, first.events, second.events]).toEqual([2, ["send a", "send b"], []]);
    first.sending.get("a")!();
    await expect.poll(() => first.events).toEqual(["send a", "send b", "send c"]);
    expect(lanes.size).toBe(2);
    const ended = lanes.firstEnd();
    first.sending.get("b")!();
    await ended;
    expect([lanes.size, first.events.includes("last")]).toEqual([1, false]);
    lanes.fill(2, second);
    expect(second.events).toEqual(["send x"]);
    first.sending.get("c")!();
    await expect.poll(() => first.events.at(-1)).toBe("last");
    expect(second.events).toEqual(["send x"]);
  });
});
