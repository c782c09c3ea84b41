import { checkOutgoingUrl } from "../../../../core/limits/outgoing-url.ts";
import {
  connectPacket,
  disconnectPacket,
  MqttReader,
  publishPacket,
  REJECTIONS,
} from "../../../../core/webhooks/sinks/mqtt.ts";
import { fillIn, parseTemplate } from "../../../../core/webhooks/template.ts";
import type { Message, WebhookConfig } from "../../../../core/webhooks/types.ts";
import { TIMEOUT_MS, type Way } from "./post.ts";
import { GATHER_MS, type Posted, type Sink, sameFor } from "./sink.ts";

/**
 * Publishes to a broker over WebSocket, QoS 1: unacknowledged messages are published again. The connection lasts for
 * one batch: an object without connections sleeps between events, and costs nothing.
 */
export function mqttSink(config: WebhookConfig, way: Way): Sink {
  return {
    mostAtOnce: 200,
    mostBytes: 900_000,
    parallel: 1,
    keepsBatches: false,
    dueAt: (now) => now + GATHER_MS,
    send: (messages) => publish(config, messages, way),
  };
}

/** Converts "wss://broker/mqtt" to the URL that fetch calls, and that is checked. */
export const webAddress = (url: string): string => url.replace(/^ws(s?):/i, "http$1:");

async function publish(
  config: WebhookConfig,
  messages: readonly Message[],
  { rules, network }: Way,
): Promise<Posted[]> {
  const started = Date.now();
  const failed = (error: string): Posted => ({ error, durationMs: Date.now() - started });
  const checked = checkOutgoingUrl(webAddress(config.url), rules);
  if (!checked.url) return sameFor(messages, failed(`The URL is not allowed. ${checked.problem}`));
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  let socket: WebSocket | null = null;
  const taken = new Set<number>();
  let trouble: string | undefined;
  try {
    const response = await network.fetch(checked.url.href, {
      headers: { upgrade: "websocket", "sec-websocket-protocol": "mqtt", "user-agent": "Graticule-Webhooks/1" },
      redirect: "manual",
      signal: limit.signal,
    });
    socket = response.webSocket;
    if (!socket)
      return sameFor(messages, {
        ...failed("The broker did not open a WebSocket."),
        status: rejectedWith(response.status),
      });
    await conversation(socket, config, messages, taken, limit.signal);
  } catch (error) {
    trouble = error instanceof BrokerRejection ? error.message : undefined;
  } finally {
    clearTimeout(timer);
    close(socket);
  }
  trouble ??= limit.signal.aborted
    ? `Not acknowledged within ${TIMEOUT_MS / 1000} s.`
    : "The connection failed: host not found, refused, or interrupted.";
  const durationMs = Date.now() - started;
  return messages.map((_, i) => (taken.has(i + 1) ? { status: 200, durationMs } : { error: trouble, durationMs }));
}

class BrokerRejection extends Error {}

/** A status that is not an upgrade is a failure, whatever its value. */
const rejectedWith = (status: number): number | undefined => (status >= 300 ? status : undefined);

/** Logs in, publishes, and waits for all acknowledgments; adds each one to `taken`. */
function conversation(
  socket: WebSocket,
  { settings, id }: WebhookConfig,
  messages: readonly Message[],
  taken: Set<number>,
  signal: AbortSignal,
): Promise<void> {
  const { template = [] } = parseTemplate(settings.topic ?? "");
  const reader = new MqttReader();
  return new Promise((done, fail) => {
    signal.addEventListener("abort", () => fail(new Error("too late")));
    socket.addEventListener("close", () => fail(new Error("closed")));
    socket.addEventListener("error", () => fail(new Error("broken")));
    socket.addEventListener("message", ({ data }) => {
      try {
        if (typeof data === "string") throw new BrokerRejection("The broker does not support MQTT over WebSocket.");
        for (const packet of reader.read(new Uint8Array(data as ArrayBuffer))) {
          if (packet.kind === "connack" && packet.code !== 0)
            throw new BrokerRejection(
              `The broker rejected the connection: ${REJECTIONS[packet.code] ?? `code ${packet.code}`}.`,
            );
          if (packet.kind === "connack")
            messages.forEach(({ body }, i) => {
              socket.send(publishPacket(topicOf(fillIn(template, JSON.parse(body), "plain")), body, i + 1));
            });
          if (packet.kind === "puback" && packet.id <= messages.length) taken.add(packet.id);
        }
        if (taken.size === messages.length) done();
      } catch (error) {
        fail(error);
      }
    });
    socket.accept();
    (socket as { binaryType?: string }).binaryType = "arraybuffer";
    socket.send(connectPacket({ clientId: clientIdOf(id), username: settings.username, password: settings.password }));
  });
}

/** Every broker accepts 23 letters and digits, but not necessarily more (MQTT 3.1.1 §3.1.3.1). */
const clientIdOf = (id: string): string => `g${id.slice(-22)}`;

/** A topic to publish to must not contain wildcards (MQTT 3.1.1 §4.7.1), whatever a device's id is. */
const topicOf = (text: string): string => text.replace(/[+#\0]/g, "_");

function close(socket: WebSocket | null): void {
  try {
    socket?.send(disconnectPacket());
    socket?.close(1000);
  } catch {
    // already closed
  }
}
