import { parser } from "mqtt-packet";
import { describe, expect, it } from "vitest";
import { connectPacket, disconnectPacket, MqttReader, publishPacket } from "../../../src/core/webhooks/sinks/mqtt.ts";

/** As the parser of the MQTT.js project reads them. */
function readByOthers(...packets: Uint8Array[]) {
  // biome-ignore lint/suspicious/noExplicitAny: each kind of packet has other fields
  const read: any[] = [];
  const reader = parser({ protocolVersion: 4 });
  reader.on("packet", (packet) => read.push(packet));
  for (const packet of packets) reader.parse(Buffer.from(packet));
  return read;
}

describe("MQTT 3.1.1", () => {
  it("is written as other programs read it", () => {
    const long = "é".repeat(9000);
    const read = readByOthers(
      connectPacket({ clientId: "g1", username: "ada", password: "pässword" }),
      connectPacket({ clientId: "g2" }),
      publishPacket("moves/Jörg", long, 65_535),
      disconnectPacket(),
    );
    expect(read).toMatchObject([
      { cmd: "connect", protocolId: "MQTT", protocolVersion: 4, clean: true, clientId: "g1", username: "ada" },
      { cmd: "connect", clientId: "g2" },
      { cmd: "publish", qos: 1, topic: "moves/Jörg", messageId: 65_535, retain: false, dup: false },
      { cmd: "disconnect" },
    ]);
    expect(read[0].password.toString()).toBe("pässword");
    expect(read[1].username).toBeUndefined();
    expect(read[2].payload.toString()).toBe(long);
  });

  it("is read however it is cut", () => {
    const answer = Uint8Array.of(0x20, 2, 0, 0, 0x40, 2, 1, 2, 0xd0, 0, 0x40, 2, 0, 9);
    const whole = [
      { kind: "connack", code: 0 },
      { kind: "puback", id: 258 },
      { kind: "other" },
      { kind: "puback", id: 9 },
    ];
    for (let cut = 0; cut <= answer.length; cut++) {
      const reader = new MqttReader();
      expect([...reader.read(answer.subarray(0, cut)), ...reader.read(answer.subarray(cut))]).toEqual(whole);
    }
  });

  it("is read when a length of two bytes comes in two pieces", () => {
    const answer = Uint8Array.of(0x20, 2, 0, 0, 0x30, 0xc8, 1, ...new Uint8Array(200), 0x40, 2, 1, 2);
    const whole = [{ kind: "connack", code: 0 }, { kind: "other" }, { kind: "puback", id: 258 }];
    for (let cut = 4; cut <= 8; cut++) {
      const reader = new MqttReader();
      expect([...reader.read(answer.subarray(0, cut)), ...reader.read(answer.subarray(cut))]).toEqual(whole);
    }
  });

  it("that is none is refused, and takes no memory", () => {
    expect(() => new MqttReader().read(Uint8Array.of(0x20, 255, 255, 255, 255, 1))).toThrow();
    expect(() => new MqttReader().read(new Uint8Array(70_000).fill(127))).not.toThrow(RangeError);
  });
});
