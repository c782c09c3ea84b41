import { describe, expect, it } from "vitest";
import type { Waiting } from "../../../src/worker/objects/webhooks/message-queue.ts";
import { PromptMessages } from "../../../src/worker/objects/webhooks/prompt-messages.ts";

const message = (id: string, user = "u", createdAt = 1): Waiting => ({
  id,
  user,
  createdAt,
  body: "{}",
  n: 0,
  attempts: 0,
  reason: undefined,
  events: [{ id: `${id}-event`, type: "user.entered_geofence" }],
});

/** Whether a promise has resolved by now. */
const isDone = (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((no) => setTimeout(() => no(false)))]);

describe("messages that are sent before they are written down", () => {
  it("keep who has handed them over waiting until each is settled, and nobody else", async () => {
    const prompt = new PromptMessages();
    const [a, b, c] = ["a", "b", "c"].map((id) => message(id));
    const [first, second] = [prompt.hold([a, b], 0, 500), prompt.hold([c], 0, 500)];
    prompt.settle(c);
    prompt.settle(a);
    prompt.settle(a);
    expect(await isDone(second)).toBe(true);
    expect(await isDone(first)).toBe(false);
    prompt.settle(b);
    expect(await isDone(first)).toBe(true);
    expect(prompt.size).toBe(0);
    expect(await isDone(prompt.hold([], 0, 500))).toBe(true);
  });

  it("are known by their events while they are here", () => {
    const prompt = new PromptMessages();
    const a = message("a");
    void prompt.hold([a], 0, 500);
    expect([prompt.has("a-event"), prompt.has("a")]).toEqual([true, false]);
    prompt.settle(a);
    expect(prompt.has("a-event")).toBe(false);
  });

  it("are sent in their order; taken to be written down, those under way are told from those that never left", () => {
    const prompt = new PromptMessages();
    void prompt.hold([message("a", "u", 5), message("b"), message("c")], 0, 500);
    expect(prompt.next()?.id).toBe("a");
    expect(prompt.takeAll().map(({ message, isSending }) => [message.id, isSending])).toEqual([
      ["a", true],
      ["b", false],
      ["c", false],
    ]);
    expect(prompt.next()).toBeUndefined();
    expect(prompt.oldest()).toBe(5);
  });

  it("of a user that is deleted are neither sent nor waited for", async () => {
    const prompt = new PromptMessages();
    const [a, b] = [message("a", "anna"), message("b", "ben")];
    const handed = prompt.hold([a, b], 0, 500);
    prompt.removeUser("anna");
    expect([prompt.holds(a), prompt.holds(b)]).toEqual([false, true]);
    expect(prompt.next()).toBe(b);
    prompt.settle(b);
    expect(await isDone(handed)).toBe(true);
  });

  it("are late when a caller has waited long enough", () => {
    const prompt = new PromptMessages();
    const [a, b] = [message("a"), message("b")];
    void prompt.hold([a], 1_000, 3_000);
    void prompt.hold([b], 2_000, 500);
    expect([2_499, 2_500].map((now) => prompt.isLate(now))).toEqual([false, true]);
    prompt.settle(b);
    expect([3_999, 4_000].map((now) => prompt.isLate(now))).toEqual([false, true]);
    // A clock that was set back.
    expect(prompt.isLate(-2_000)).toBe(true);
  });
});
