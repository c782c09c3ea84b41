import { send } from "../bench/support/load.ts";
import { isGenuine, startReceiver } from "../core/webhooks/receiver.ts";

/** What a webhook's receiver was told, as it acknowledged it. */
export interface Told {
  /** Events by id: what they were, whose, and how often they came. */
  events: Map<string, { type: string; user: string; times: number }>;
  messages: number;
  /** Messages it answered with a failure. */
  refusals: number;
  /** Messages that were not signed as ours, or whose id was not their event's. */
  suspicious: number;
}

/** Variables of a Worker that may tell a receiver on loopback, and tries again soon: a run cannot wait for minutes. */
export const LISTENING = {
  ALLOW_PRIVATE_HOSTS: "true",
  SAFETY_NET_SECONDS: "10",
  WEBHOOK_SCHEDULE: `0 ${Array(12).fill(1).join(" ")}`,
};

/** A receiver that survives every death of the server, and fails at one message in ten: it answers 500, or hangs up. */
export async function listen(random: () => number) {
  const told: Told = { events: new Map(), messages: 0, refusals: 0, suspicious: 0 };
  let secret = "";
  let path = "";
  const receiver = await startReceiver((response, _, message) => {
    const chance = random();
    if (chance < 0.1) {
      told.refusals++;
      if (chance < 0.05) response.destroy();
      else response.writeHead(500).end();
      return;
    }
    const { event, user } = message.body;
    if (!isGenuine(message, secret) || message.headers["webhook-id"] !== event._id || user._id !== event.user._id) {
      told.suspicious++;
    }
    const before = told.events.get(event._id);
    told.events.set(event._id, { type: event.type, user: event.user._id, times: (before?.times ?? 0) + 1 });
    told.messages++;
    response.writeHead(204).end();
  });
  return {
    told,
    /** Has the server tell this receiver of every event. */
    async subscribe(server: { url: string }, key: string): Promise<void> {
      const headers = { authorization: key };
      const body = { url: receiver.url };
      const { status, text } = await send(server, { method: "POST", path: "/v1/webhooks", headers, body });
      if (status !== 200) throw new Error(text);
      const { webhook } = JSON.parse(text);
      secret = webhook.secret;
      path = `/v1/webhooks/${webhook._id}`;
    },
    /** Messages that wait for this receiver, and those that were given up. */
    async left(server: { url: string }, key: string): Promise<{ waiting: number; dead: number }> {
      const ask = async (what: string) =>
        JSON.parse((await send(server, { path: path + what, headers: { authorization: key } })).text);
      const [{ waiting }, { deadLetters }] = [await ask("/deliveries?limit=1"), await ask("/dead-letters?limit=1000")];
      return { waiting, dead: deadLetters.length };
    },
    stop: () => receiver.stop(),
  };
}
