import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  path: string;
  contentType: string | undefined;
  token: string | undefined;
  body: string;
}

/** An OpenTelemetry collector that keeps what it receives. */
export async function startCollector(): Promise<{ url: string; received: Received[]; close(): void }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { "content-type": contentType, "x-token": token } = request.headers;
    received.push({ path: request.url ?? "", contentType, token: token as string | undefined, body });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/otlp/`, received, close: () => server.close() };
}
