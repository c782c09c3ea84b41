import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTlsFiles, startTlsFront, type TlsFront } from "../../src/cli/start/socket/tls-front.ts";
import { selfSigned } from "../support/tls-proxy.ts";

/** `npm start -- --tls-cert --tls-key`, before a server that repeats what it gets. */

const folder = mkdtempSync(join(tmpdir(), "tls-"));
const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
let hold: Promise<void> | undefined;
const target = createServer(async (incoming, response) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  response.setHeader("x-twice", ["a", "b"]);
  if (incoming.url === "/slow") {
    response.write("begun ");
    await hold;
  }
  response.end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }));
});
target.on("upgrade", (incoming, socket) => {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: ${incoming.headers.upgrade}\r\nconnection: Upgrade\r\n\r\n`,
  );
  socket.on("data", (data) => socket.write(`echo ${data} ${incoming.headers["x-forwarded-proto"]}`));
});
let front: TlsFront;
let targetPort: number;

beforeAll(async () => {
  const { cert, key } = await selfSigned();
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  await new Promise<void>((ready) => target.listen(0, "127.0.0.1", ready));
  targetPort = (target.address() as AddressInfo).port;
  front = await open();
});
afterAll(async () => {
  await front.stop(0);
  target.close();
  target.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const open = () => startTlsFront({ host: "127.0.0.1", port: 0, files, target: targetPort, log: () => {} });

function ask(port: number, options: RequestOptions, body?: string) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (done, failed) => {
      const outgoing = request({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options }, async (answer) => {
        let text = "";
        for await (const chunk of answer) text += chunk;
        done({ status: answer.statusCode, headers: answer.headers, text });
      });
      outgoing.on("error", failed);
      outgoing.end(body);
    },
  );
}

describe("the TLS front", () => {
  it("forwards method, path, body and headers, and adds whose connection it is at the end of what a client claims", async () => {
    const headers = { authorization: "key", "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "http", te: "trailers" };
    const {
      status,
      text,
      headers: got,
    } = await ask(front.port, { method: "PUT", path: "/v1/geofences/a?b=%20c", headers }, "body");
    expect(status).toBe(200);
    expect(got["x-twice"]).toBe("a, b");
    const seen = JSON.parse(text);
    expect(seen).toMatchObject({ method: "PUT", url: "/v1/geofences/a?b=%20c", body: "body" });
    expect(seen.headers).toMatchObject({
      ...{ authorization: "key", "x-forwarded-for": "1.2.3.4, 127.0.0.1", "x-forwarded-proto": "https" },
    });
    expect(seen.headers.te).toBeUndefined();
  });

  it("passes upgraded connections through", async () => {
    const socket = connect({ host: "127.0.0.1", port: front.port, rejectUnauthorized: false });
    socket.write("GET /v1/live HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
    let text = "";
    await new Promise<void>((done) => {
      socket.on("data", (data) => {
        text += data;
        if (text.endsWith("\r\n\r\n")) socket.write("hello");
        if (text.includes("echo")) done();
      });
    });
    expect(text).toMatch(/^HTTP\/1\.1 101[\s\S]*echo hello https$/);
    socket.destroy();
  });

  it("answers 502 while the Worker is away", async () => {
    const lonely = await startTlsFront({ host: "127.0.0.1", port: 0, files, target: 1, log: () => {} });
    expect((await ask(lonely.port, { path: "/" })).status).toBe(502);
    await lonely.stop(0);
  });

  it("closes each connection after its response when it stops, finishes open requests, and then accepts no others", async () => {
    const own = await open();
    let release = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const agent = new Agent({ keepAlive: true });
    const slow = ask(own.port, { path: "/slow", agent });
    await new Promise((begun) => target.once("request", begun));
    const stopped = own.stop(60_000);
    expect((await ask(own.port, { path: "/", agent })).headers.connection).toBe("close");
    const isAccepted = () =>
      ask(own.port, { path: "/", agent: false }).then(
        () => true,
        () => false,
      );
    await expect.poll(isAccepted, { timeout: 5000 }).toBe(false);
    release();
    expect((await slow).text).toMatch(/^begun \{/);
    agent.destroy();
    await stopped;
  });

  it("explains files that are no certificate and key", async () => {
    const other = await selfSigned();
    writeFileSync(join(folder, "other.pem"), other.key);
    writeFileSync(join(folder, "text.pem"), "text");
    expect(() => readTlsFiles({ ...files, key: join(folder, "none.pem") })).toThrow(/--tls-key: .*ENOENT/);
    expect(() => readTlsFiles({ ...files, cert: join(folder, "text.pem") })).toThrow(/must be a certificate/);
    expect(() => readTlsFiles({ ...files, key: join(folder, "other.pem") })).toThrow(/must be a certificate/);
  });
});
