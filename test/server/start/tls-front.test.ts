import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTlsFiles, startTlsFront, type TlsFront } from "../../../src/server/start/socket/tls-front.ts";
import { selfSigned } from "../../support/tls-proxy.ts";

/** `npm start -- --tls-cert --tls-key`, before a server that repeats what it gets. */

const folder = mkdtempSync(join(tmpdir(), "tls-"));
const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
let hold: Promise<void> | undefined;
const seen: IncomingMessage[] = [];
const smuggled: string[] = [];
const target = createServer(async (incoming, response) => {
  seen.push(incoming);
  let body = "";
  for await (const chunk of incoming) body += chunk;
  response.setHeader("x-twice", ["a", "b"]);
  if (incoming.url === "/slow") {
    response.write("begun ");
    await hold;
  }
  if (incoming.url === "/404") response.statusCode = 404;
  response.end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }));
});
target.on("upgrade", (incoming, socket) => {
  if (incoming.url !== "/v1/live") {
    // As workerd, which reads further requests after this one.
    socket.write("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 7\r\n\r\nrefused");
    return void socket.on("data", (data) => smuggled.push(String(data)));
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: ${incoming.headers.upgrade}\r\nconnection: Upgrade\r\n\r\n`,
  );
  socket.on("data", (data) => socket.write(`echo ${data}`));
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

const SECRET = "s".repeat(64);
const open = (target = targetPort) =>
  startTlsFront({ host: "127.0.0.1", port: 0, files, target, secret: SECRET, log: () => {} });

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

/** All that comes back on a connection that sends one text and, when that is answered, another. */
function converse(first: string, next: string) {
  return new Promise<string>((done) => {
    let text = "";
    const socket = connect({ host: "127.0.0.1", port: front.port, rejectUnauthorized: false }, () =>
      socket.write(first),
    );
    socket.on("data", (data) => {
      text += data;
      if (next !== "") socket.write(next);
      next = "";
    });
    socket.on("error", () => {});
    socket.setTimeout(300, () => socket.destroy());
    socket.on("close", () => done(text));
  });
}

describe("the TLS front", () => {
  it("forwards method, path, body and headers, and says whose connection it is, with its secret", async () => {
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
      ...{ authorization: "key", "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "http" },
      "x-graticule-front": expect.stringMatching(new RegExp(`^${SECRET} 127\\.0\\.0\\.1:\\d+$`)),
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
    expect(text).toMatch(/^HTTP\/1\.1 101[\s\S]*echo hello$/);
    socket.destroy();
  });

  const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  const NEXT = "GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Graticule-Front: forged\r\n\r\n";

  it.each<[what: string, first: string, status: number]>([
    ["a refused upgrade", `GET /v1/ping HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`, 426],
    ["h2c", "GET /v1/ping HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n", 200],
    [
      "another protocol in another case",
      "GET / HTTP/1.1\r\nHost: x\r\ncOnnection: uPgrade\r\nuPgrade: tls/1.0\r\n\r\n",
      200,
    ],
    ["an upgrade by POST", `POST /v1/live HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`, 200],
    ["an upgrade with a body", `POST /v1/live HTTP/1.1\r\nHost: x\r\n${UPGRADE}Content-Length: 3\r\n\r\nabc`, 400],
    [
      "an upgrade in chunks",
      `POST /v1/live HTTP/1.1\r\nHost: x\r\n${UPGRADE}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["an upgrade by TRACE", `TRACE /v1/live HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`, 405],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 405],
    [
      "both lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", 400],
    [
      "chunks behind another coding",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a folded header", "GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n X-Graticule-Front: c\r\n\r\n", 400],
    ["a space before the colon", "GET / HTTP/1.1\r\nHost: x\r\nX-Graticule-Front : c\r\n\r\n", 400],
    ["a bare line feed", "GET / HTTP/1.1\nHost: x\n\n", 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["an unknown method", "FOO / HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["a method of the platform's own", "M-SEARCH / HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["a method in lower case", "get / HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["a target that is no path", "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a long URL", `GET /?${"a".repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
    ["long headers", `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(140_000)}\r\n\r\n`, 431],
  ])("lets no request of the client's own through to the Worker: %s", async (_, first, status) => {
    seen.length = 0;
    const answers = await converse(first, NEXT);
    expect(answers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status !== 426 && status !== 200 && !first.startsWith("GET / HTTP/1.1\r\n\r\n")) {
      expect(answers).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/);
      expect(answers).toContain(`{"meta":{"code":${status},"message":"`);
    }
    expect(smuggled).toEqual([]);
    for (const { headers } of seen) expect(headers["x-graticule-front"]).toMatch(`${SECRET} 127.0.0.1:`);
    expect(seen.flatMap(({ headers }) => Object.keys(headers)).filter((name) => name === "upgrade")).toEqual([]);
  });

  it("says the same of each request of a connection, pipelined or in chunks, whatever its headers claim", async () => {
    seen.length = 0;
    const claims =
      "X-Forwarded-For: 9.9.9.9\r\nx-forwarded-for: 8.8.8.8\r\nForwarded: for=9.9.9.9\r\nCF-Connecting-IP: 9.9.9.9\r\n";
    const forged = `X-Graticule-Front: forged\r\nx-graticule-front: ${SECRET}x 9.9.9.9:1\r\nConnection: x-graticule-front\r\n`;
    const one = `GET /a HTTP/1.1\r\nHost: x\r\n${claims}${forged}\r\n`;
    const chunked = `POST /b HTTP/1.1\r\nHost: x\r\n${forged}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
    const whole = `GET https://other.example/c?d HTTP/1.1\r\nHost: x\r\n${forged}\r\n`;
    await converse(one + chunked + one + whole, "");
    expect(seen.map(({ url }) => url)).toEqual(["/a", "/b", "/a", "/c?d"]);
    for (const { headers } of seen) expect(headers["x-graticule-front"]).toMatch(/^s{64} 127\.0\.0\.1:\d+$/);
    expect(seen[0].headers["x-forwarded-for"]).toBe("9.9.9.9, 8.8.8.8");
    expect(seen[3].headers.host).toBe("other.example");
  });

  it("keeps a connection after an error of the Worker's, and ends it after its own", async () => {
    seen.length = 0;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect((await converse(get("/404") + get("/next"), "")).match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 404",
      "HTTP/1.1 200",
    ]);
    await converse(`${get("/x")}nonsense`, get("/y"));
    expect(seen.map(({ url }) => url)).not.toContain("/y");
  });

  it("makes browsers use https from now on, except on this machine", async () => {
    const hstsOf = async (host: string) =>
      (await ask(front.port, { path: "/", headers: { host } })).headers["strict-transport-security"];
    expect(await hstsOf("maps.example.com")).toBe("max-age=31536000");
    expect(await hstsOf("maps.example.com:8443")).toBe("max-age=31536000");
    for (const host of ["localhost:8787", "127.0.0.1", "[::1]:8787"])
      expect([host, await hstsOf(host)]).toEqual([host, undefined]);
  });

  it("answers 502 while the Worker is away", async () => {
    const lonely = await open(1);
    const { status, text } = await ask(lonely.port, { path: "/" });
    expect([status, JSON.parse(text).meta.code]).toEqual([502, 502]);
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    expect((await ask(lonely.port, { path: "/v1/live", headers })).status).toBe(502);
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
    expect(() => readTlsFiles({ ...files, key: join(folder, "none.pem") })).toThrow(
      /--tls-key: .*there is no such file/,
    );
    expect(() => readTlsFiles({ ...files, cert: join(folder, "text.pem") })).toThrow(/must be a certificate/);
    expect(() => readTlsFiles({ ...files, key: join(folder, "other.pem") })).toThrow(/must be a certificate/);
  });
});
