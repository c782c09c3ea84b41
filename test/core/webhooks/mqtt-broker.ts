import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Aedes } from "aedes";
import { createWebSocketStream, WebSocketServer } from "ws";

/** A broker from npm, over WebSocket, that lets one user in. */
export async function startBroker(username: string, password: string) {
  const published: { topic: string; text: string }[] = [];
  const broker = await Aedes.createBroker();
  broker.authenticate = (_, name, given, done) => done(null, name === username && given?.toString() === password);
  broker.on("publish", ({ topic, payload }, client) => {
    if (client) published.push({ topic, text: payload.toString() });
  });
  const server = createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: (asked) => (asked.has("mqtt") ? "mqtt" : false) });
  sockets.on("connection", (socket, request) => {
    const stream = createWebSocketStream(socket);
    stream.on("error", () => {});
    broker.handle(stream, request);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mqtt`,
    published,
    connections: () => broker.connectedClients,
    async stop() {
      await new Promise<void>((closed) => broker.close(() => closed()));
      sockets.close();
      server.closeAllConnections();
      await new Promise((stopped) => server.close(stopped));
    },
  };
}
