/**
 * The packets of MQTT 3.1.1 (OASIS Standard, 2014) that a publisher needs: CONNECT, PUBLISH with QoS 1, DISCONNECT, and the broker's CONNACK
 * and PUBACK.
 */
const encoder = new TextEncoder();

/** Seconds after which a broker may consider a silent connection dead. */
const KEEP_ALIVE_S = 60;

interface MqttLogin {
  clientId: string;
  username?: string;
  password?: string;
}

export function connectPacket({ clientId, username, password }: MqttLogin): Uint8Array {
  const flags = (username === undefined ? 0 : 0x80) | (password === undefined ? 0 : 0x40) | 0x02; // a clean session
  const parts = [text("MQTT"), Uint8Array.of(4, flags, KEEP_ALIVE_S >> 8, KEEP_ALIVE_S & 255), text(clientId)];
  if (username !== undefined) parts.push(text(username));
  if (password !== undefined) parts.push(text(password));
  return packet(0x10, parts);
}

/** @param id 1 to 65,535, which is repeated in the broker's PUBACK */
export function publishPacket(topic: string, payload: string, id: number): Uint8Array {
  return packet(0x32, [text(topic), Uint8Array.of(id >> 8, id & 255), encoder.encode(payload)]);
}

export const disconnectPacket = (): Uint8Array => packet(0xe0, []);

type BrokerPacket = { kind: "connack"; code: number } | { kind: "puback"; id: number } | { kind: "other" };

/** Splits the data from a broker into packets, however it is fragmented. */
export class MqttReader {
  #rest: Uint8Array = new Uint8Array(0);

  /** @throws Error if it is not MQTT */
  read(bytes: Uint8Array): BrokerPacket[] {
    const data = new Uint8Array(this.#rest.length + bytes.length);
    data.set(this.#rest);
    data.set(bytes, this.#rest.length);
    const packets: BrokerPacket[] = [];
    let at = 0;
    for (;;) {
      const body = lengthAt(data, at + 1);
      if (!body || data.length < body.start + body.length) break;
      packets.push(readPacket(data[at] >> 4, data.subarray(body.start, body.start + body.length)));
      at = body.start + body.length;
    }
    this.#rest = data.slice(at);
    if (this.#rest.length > 65_536) throw new Error("the packet is too long");
    return packets;
  }
}

/** Reasons for a broker to reject the connection (MQTT 3.1.1 §3.2.2.3). */
export const REJECTIONS: Record<number, string> = {
  1: "it does not support MQTT 3.1.1",
  2: "it does not accept this client id",
  3: "it is not available",
  4: "the username or password is wrong",
  5: "the client is not allowed to connect",
};

function readPacket(type: number, body: Uint8Array): BrokerPacket {
  if (type === 2 && body.length >= 2) return { kind: "connack", code: body[1] };
  if (type === 4 && body.length >= 2) return { kind: "puback", id: (body[0] << 8) | body[1] };
  return { kind: "other" };
}

/** The length at `at`, seven bits per byte, and where the body begins; undefined if it is incomplete. */
function lengthAt(data: Uint8Array, at: number): { start: number; length: number } | undefined {
  let length = 0;
  for (let i = 0; i < 4; i++) {
    if (at + i >= data.length) return undefined;
    length += (data[at + i] & 127) * 128 ** i;
    if (data[at + i] < 128) return { start: at + i + 1, length };
  }
  throw new Error("a packet's length has at most four bytes");
}

function packet(first: number, parts: readonly Uint8Array[]): Uint8Array {
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [first];
  do {
    const low = length % 128;
    length = Math.floor(length / 128);
    head.push(length > 0 ? low | 128 : low);
  } while (length > 0);
  return joined([Uint8Array.from(head), ...parts]);
}

/** A string after its length in two bytes. */
function text(value: string): Uint8Array {
  const bytes = encoder.encode(value);
  return joined([Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
