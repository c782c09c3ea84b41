import type { Message } from "../types.ts";

/**
 * Requests to Kafka's REST proxies, and their responses. A record's key is its user, so that the events of a user are in
 * one partition, in order.
 *
 * Version 2 (Confluent REST Proxy, Redpanda's HTTP Proxy, Aiven's Karapace): POST /topics/{topic}. Version 3 (Confluent
 * REST Proxy from version 7 on, Confluent Cloud): POST /v3/clusters/{cluster}/topics/{topic}/records, with concatenated
 * JSON values in both directions.
 */
export interface KafkaSettings {
  topic: string;
  /** Set: version 3 of the API is used. */
  clusterId?: string;
}

interface KafkaRequest {
  path: string;
  contentType: string;
  accept: string;
  body: string;
}

export function kafkaRequest({ topic, clusterId }: KafkaSettings, messages: readonly Message[]): KafkaRequest {
  const name = encodeURIComponent(topic);
  if (clusterId === undefined) {
    const records = messages.map(({ id, user, body }) => `{"key":${JSON.stringify(user ?? id)},"value":${body}}`);
    return {
      path: `topics/${name}`,
      contentType: "application/vnd.kafka.json.v2+json",
      accept: "application/vnd.kafka.v2+json",
      body: `{"records":[${records.join()}]}`,
    };
  }
  const records = messages.map(({ id, user, body }) => {
    const key = `{"type":"JSON","data":${JSON.stringify(user ?? id)}}`;
    const headers = `[{"name":"webhook-id","value":"${btoa(id)}"}]`;
    return `{"headers":${headers},"key":${key},"value":{"type":"JSON","data":${body}}}`;
  });
  return {
    path: `v3/clusters/${encodeURIComponent(clusterId)}/topics/${name}/records`,
    contentType: "application/json",
    accept: "application/json",
    body: records.join("\n"),
  };
}

/**
 * The result of each record, from the response to a successful request.
 * @returns per record undefined if it was accepted, else the reason
 */
export function kafkaResults({ clusterId }: KafkaSettings, text: string, count: number): (string | undefined)[] {
  const answers = clusterId === undefined ? offsetsOf(text) : jsonValues(text);
  return Array.from({ length: count }, (_, i) => {
    const answer = answers[i] as Record<string, unknown> | undefined;
    if (!answer || typeof answer !== "object") return "The proxy returned no result for this record.";
    const { error_code: code, error, message } = answer;
    if ((!code || code === 200) && typeof answer.offset === "number") return undefined;
    return `The proxy did not accept the record: ${String(error ?? message ?? code).slice(0, 200)}`;
  });
}

function offsetsOf(text: string): unknown[] {
  try {
    const { offsets } = JSON.parse(text) as { offsets?: unknown };
    return Array.isArray(offsets) ? offsets : [];
  } catch {
    return [];
  }
}

/** Parses concatenated JSON objects. The list ends at anything unreadable. */
export function jsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{" && depth++ === 0) start = index;
    if (token !== "}" || --depth !== 0) continue;
    try {
      values.push(JSON.parse(text.slice(start, index + 1)));
    } catch {
      return values;
    }
  }
  return values;
}
