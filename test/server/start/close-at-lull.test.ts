import { connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { closeAtLull } from "../../../src/server/start/socket/close-at-lull.ts";

it("a socket that gets new connections all the time is closed after the maximum time", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  // As from clients that never stop: one in each turn of the event loop.
  let isBusy = true;
  const arrive = () => {
    server.emit(
      "connection",
      connect(port, "127.0.0.1").on("error", () => {}),
    );
    if (isBusy) setImmediate(arrive);
  };
  arrive();
  const closed = closeAtLull(server, 100);
  await expect.poll(() => server.listening).toBe(false);
  isBusy = false;
  for (const socket of sockets) socket.destroy();
  await closed;
});
