import { describe, expect, it } from "vitest";
import { jsonValues, kafkaRequest, kafkaResults } from "../../../src/core/webhooks/sinks/kafka.ts";
import type { Message } from "../../../src/core/webhooks/types.ts";

const message = (id: string, user?: string): Message => ({ id, user, events: [], body: `{"n":"${id}"}`, createdAt: 0 });
const messages = [message("1", "ada"), message("2")];

describe("Kafka's REST proxy", () => {
  it("is asked in version 2, with the user as key", () => {
    const { path, contentType, accept, body } = kafkaRequest({ topic: "moves" }, messages);
    expect([path, contentType]).toEqual(["topics/moves", "application/vnd.kafka.json.v2+json"]);
    expect(accept).toBe("application/vnd.kafka.v2+json");
    expect(JSON.parse(body)).toEqual({
      records: [
        { key: "ada", value: { n: "1" } },
        { key: "2", value: { n: "2" } },
      ],
    });
  });

  it("is asked in version 3 where a cluster is named, one record behind the other", () => {
    const { path, body } = kafkaRequest({ topic: "moves", clusterId: "c/1" }, messages);
    expect(path).toBe("v3/clusters/c%2F1/topics/moves/records");
    expect(body.split("\n")).toHaveLength(2);
    expect(jsonValues(body)).toMatchObject([
      {
        key: { type: "JSON", data: "ada" },
        value: { data: { n: "1" } },
        headers: [{ name: "webhook-id", value: btoa("1") }],
      },
      { key: { data: "2" }, value: { data: { n: "2" } } },
    ]);
  });

  it("takes or refuses each record by itself", () => {
    const offsets = [
      { partition: 0, offset: 7, error_code: null, error: null },
      { error_code: 2, error: "too large" },
    ];
    expect(kafkaResults({ topic: "t" }, JSON.stringify({ offsets }), 3)).toEqual([
      undefined,
      expect.stringContaining("too large"),
      expect.stringContaining("no result"),
    ]);
    const text =
      '{"error_code":200,"partition_id":0,"offset":7}\n{"error_code":40003,"message":"no {such} \\"topic\\""}';
    expect(kafkaResults({ topic: "t", clusterId: "c" }, text, 2)).toEqual([
      undefined,
      expect.stringContaining('no {such} "topic"'),
    ]);
  });

  it.each(["", "not JSON", "[]", '{"offsets":5}', "{", '{"offsets":[null]}'])(
    "that answers nonsense has taken nothing: %s",
    (text) => {
      for (const clusterId of [undefined, "c"])
        expect(kafkaResults({ topic: "t", clusterId }, text, 1)[0]).toMatch(/no result|not accept/);
    },
  );
});

it("JSON values end at the first that cannot be read", () => {
  expect(jsonValues('{"a":1}{"b":{}} {bad}{"c":3}')).toEqual([{ a: 1 }, { b: {} }]);
});
