import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonValues } from "../../../src/core/webhooks/sinks/kafka.ts";

/** A record as the proxy has taken it. */
export interface KafkaRecord {
  topic: string;
  key: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a receiver reads what it gets
  value: any;
}

/** As much of a REST proxy of Kafka as a producer speaks to, versions 2 and 3; it may refuse some records, and wants a password. */
export async function startKafkaProxy(authorization: string) {
  const records: KafkaRecord[] = [];
  let refuses: (nth: number) => boolean = () => false;
  let requests = 0;
  let nth = 0;
  const server = createServer(async (request, response) => {
    requests++;
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    const answer = (status: number, body: string) => response.writeHead(status).end(body);
    if (request.headers.authorization !== authorization) return answer(401, "who is this?");
    const [, topic] = /\/topics\/([^/]+)(?:\/records)?$/.exec(request.url ?? "") ?? [];
    const isV2 = request.headers["content-type"] === "application/vnd.kafka.json.v2+json";
    const take = (key: unknown, value: unknown) => {
      if (refuses(nth++)) return undefined;
      return { partition: 0, offset: records.push({ topic, key, value }) - 1 };
    };
    if (isV2) {
      const asked = JSON.parse(text).records as { key: unknown; value: unknown }[];
      const offsets = asked.map(({ key, value }) => take(key, value) ?? { error_code: 2, error: "not now" });
      return answer(200, JSON.stringify({ key_schema_id: null, value_schema_id: null, offsets }));
    }
    const asked = jsonValues(text) as { key: { data: unknown }; value: { data: unknown } }[];
    const lines = asked.map(({ key, value }) => {
      const taken = take(key.data, value.data);
      return JSON.stringify(taken ? { error_code: 200, ...taken } : { error_code: 50003, message: "not now" });
    });
    return answer(200, lines.join("\n"));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    requests: () => requests,
    refuse(which: (nth: number) => boolean) {
      nth = 0;
      refuses = which;
    },
    stop: () => new Promise((stopped) => server.close(stopped)),
  };
}
