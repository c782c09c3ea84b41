import { describe, expect, it } from "vitest";
import { toMessages } from "../../../src/core/webhooks/messages.ts";
import type { Delivery, Notice } from "../../../src/core/webhooks/types.ts";
import { SendQueue } from "../../../src/worker/objects/webhooks/send-queue.ts";
import { memorySql } from "../../bench/support/sqlite.ts";

const NOW = 1_000;

const notice = (id: string, user = "u"): Notice => ({
  id,
  type: "user.entered_geofence",
  user,
  json: `{"_id":"${id}"}`,
});

function newQueue(): SendQueue {
  return new SendQueue({ sql: memorySql(), transactionSync: (write) => write() });
}

/** Sends what is not on disk; returns the ids of the messages. */
function sendPrompt(queue: SendQueue): string[] {
  const sent: string[] = [];
  for (let message = queue.nextPrompt(); message; message = queue.nextPrompt()) {
    sent.push(message.id);
    const { id: messageId } = message;
    queue.deliver(message, { messageId, eventTypes: [], attempt: 1, at: NOW, durationMs: 1, outcome: "delivered" });
    queue.endPrompt(message);
  }
  queue.noteDelivered();
  return sent;
}

const isDone = (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((no) => setTimeout(() => no(false)))]);

// A tracker that sends its events again may meet its first attempt in the same group of writes.
describe.each<Delivery>(["single", "multiple"])("events that one call hands over twice (%s)", (delivery) => {
  const own = (fresh: Notice[]) => toMessages(fresh, {}, delivery, NOW);
  const twice = [notice("a"), notice("b"), notice("a"), notice("b")];

  it("are sent once, and their caller does not wait forever", async () => {
    const queue = newQueue();
    const settled = queue.hold(twice, own, NOW, 500);
    expect(sendPrompt(queue)).toEqual(delivery === "single" ? ["a", "b"] : ["a"]);
    expect(queue.size).toBe(0);
    expect(await isDone(settled)).toBe(true);
  });

  it("are stored once", () => {
    const queue = newQueue();
    queue.store(twice, own, NOW, NOW);
    expect(queue.size).toBe(delivery === "single" ? 2 : 1);
  });

  it("are not sent again when they come once more", async () => {
    const queue = newQueue();
    void queue.hold(twice, own, NOW, 500);
    sendPrompt(queue);
    const settled = queue.hold([...twice, notice("c")], own, NOW, 500);
    expect(sendPrompt(queue)).toEqual(["c"]);
    expect(await isDone(settled)).toBe(true);
  });
});
