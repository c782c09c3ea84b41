import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Duplex } from "node:stream";

/** A message of GET /v1/live, as far as tests look into it. */
interface Message {
  type: string;
  at?: string;
  positions?: number;
  user?: Told;
  event?: { _id: string; type: string; user: Told };
}
interface Told {
  _id: string;
  userId?: string;
  deviceId?: string;
}

/** The client's end of a WebSocket: what it was told so far, and the code with which it was closed. */
export interface Viewer {
  texts: string[];
  messages: Message[];
  closed: number | undefined;
  send(text: string): void;
  close(): void;
}

/**
 * Opens a WebSocket with headers, which the platform's own cannot send. Short frames only, as tests need them
 * (RFC 6455). Rejects with {status} when the upgrade is refused.
 */
export function openSocket(url: string, headers: Record<string, string>): Promise<Viewer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      headers: {
        ...headers,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": randomBytes(16).toString("base64"),
      },
    });
    asked.on("response", (response) => {
      response.resume();
      reject({ status: response.statusCode });
    });
    asked.on("error", reject);
    asked.on("upgrade", (_, socket, head) => resolve(viewerOn(socket, head)));
    asked.end();
  });
}

function viewerOn(socket: Duplex, head: Buffer): Viewer {
  const viewer: Viewer = {
    texts: [],
    messages: [],
    closed: undefined,
    send: (text) => void socket.write(frame(1, Buffer.from(text))),
    close: () => void socket.end(frame(8, Buffer.from([0x03, 0xe8]))),
  };
  let waiting = head;
  const read = (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      if (waiting.length < 2) return;
      const short = waiting[1] & 0x7f;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (waiting.length < start) return;
      const length =
        short === 126 ? waiting.readUInt16BE(2) : short === 127 ? Number(waiting.readBigUInt64BE(2)) : short;
      if (waiting.length < start + length) return;
      const content = waiting.subarray(start, start + length);
      const kind = waiting[0] & 0x0f;
      waiting = waiting.subarray(start + length);
      if (kind === 8) viewer.closed = content.length >= 2 ? content.readUInt16BE(0) : 1005;
      if (kind !== 1) continue;
      viewer.texts.push(content.toString());
      if (content[0] === 0x7b) viewer.messages.push(JSON.parse(content.toString()) as Message);
    }
  };
  socket.on("data", read);
  socket.on("error", () => {});
  read(Buffer.alloc(0));
  return viewer;
}

/** A frame as clients send it: masked, here with zeros. */
function frame(kind: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | kind, 0x80 | content.length, 0, 0, 0, 0]), content]);
}
