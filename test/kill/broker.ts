import { send } from "../bench/support/load.ts";
import { startBroker } from "../core/webhooks/mqtt-broker.ts";

/** What a broker says to the list of events. Both lists are empty when all is well. */
export interface BrokerAudit {
  /** Events that are listed and were not published. */
  lost: string[];
  /** Publications of events that are not listed, or under another topic than their own. */
  invented: string[];
}

const LOGIN = { username: "kill", password: "again and again" };

/** An MQTT broker that survives every death of the server. */
export async function listenAtBroker() {
  const { url, published, stop } = await startBroker(LOGIN.username, LOGIN.password);
  return {
    /** Messages that it has got, those that came once more among them. */
    messages: () => published.length,
    /** Has the server publish every event there. */
    async subscribe(server: { url: string }, key: string): Promise<void> {
      const settings = { topic: "kill/{{event.type}}/{{event._id}}", ...LOGIN };
      const body = { type: "mqtt", url, settings };
      const headers = { authorization: key };
      const { status, text } = await send(server, { method: "POST", path: "/v1/webhooks", headers, body });
      if (status !== 200) throw new Error(text);
    },
    /** @param stored the _ids of all events that are listed */
    audit(stored: ReadonlySet<string>): BrokerAudit {
      const got = new Set<string>();
      const invented: string[] = [];
      for (const { topic, text } of published) {
        const { _id, type } = JSON.parse(text).event;
        if (topic !== `kill/${type}/${_id}` || !stored.has(_id)) invented.push(_id);
        got.add(_id);
      }
      return { lost: [...stored].filter((id) => !got.has(id)), invented };
    },
    stop,
  };
}
