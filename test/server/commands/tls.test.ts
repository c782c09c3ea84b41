import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSigned } from "../../support/tls-proxy.ts";
import { publishWorlds } from "../../support/worlds/kept-worlds.ts";
import { anyPort, finished, runCli } from "./dev-process.ts";
import { createSession } from "./own-session.ts";
import { scratchFolder } from "./scratch.ts";
import { type Running, startProcess } from "./start/start-process.ts";

/** `npm start -- --tls-cert --tls-key` as a whole: what an address or a header decides, and who can set it. */
const folder = scratchFolder();
const state = join(folder, "state");
let server: Running;
let port: number;

beforeAll(async () => {
  const { cert, key } = await selfSigned();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  port = await anyPort();
  await publishWorlds(["world"], state);
  server = await startProcess(state, port, ["--tls-cert", files.cert, "--tls-key", files.key]);
}, 240_000);
afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
});

/** Sends texts on one connection, each when the one before was answered. @returns what comes back, in Latin-1 */
function converse(...texts: string[]): Promise<string> {
  return new Promise((done) => {
    let answers = "";
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    const next = () => {
      const text = texts.shift();
      if (text !== undefined) socket.write(Buffer.from(text, "latin1"));
    };
    socket.once("secureConnect", next);
    socket.on("data", (data) => {
      answers += data.toString("latin1");
      next();
    });
    socket.on("error", () => {});
    socket.setTimeout(1000, () => socket.destroy());
    socket.on("close", () => done(answers));
  });
}

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const ping = (...headers: string[]) => lines("GET /v1/ping HTTP/1.1", "Host: maps.example.com", ...headers);
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket"];
const FORGED = [
  ...["X-Forwarded-For: 9.9.9.9", "Forwarded: for=9.9.9.9", "CF-Connecting-IP: 9.9.9.9", "X-Real-IP: 9.9.9.9"],
  ...["X-Graticule-Front: x [9.9.9.9]:1", 'MF-CF-Blob: {"clientIp":"9.9.9.9:1"}', "X-Forwarded-Proto: http"],
];
const addresses = (answers: string) => [...answers.matchAll(/"ip":"([^"]*)"/g)].map(([, ip]) => ip);
const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

describe("npm start with a certificate", { timeout: 120_000 }, () => {
  it("knows the address of a connection, whatever it claims, after a refused upgrade, pipelined or in an absolute URL", async () => {
    const after = await converse(ping(...UPGRADE, ...FORGED), ping(...FORGED));
    expect(addresses(after)).toEqual(["127.0.0.1"]);
    const h2c = await converse(ping("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", ...FORGED), ping(...FORGED));
    expect(addresses(h2c)).toEqual(["127.0.0.1"]);
    const absolute = ping(...FORGED).replace("/v1", "http://other.example/v1");
    const all = await converse(ping(...FORGED) + ping("X-Forwarded-For: 8.8.8.8", ...FORGED) + absolute);
    expect(addresses(all)).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
  });

  it("answers an odd method, a long URL and long headers in JSON with a request id", async () => {
    for (const [text, status] of [
      [lines("CONNECT example.com:443 HTTP/1.1", "Host: example.com:443"), 405],
      [ping().replace("GET", "LINK"), 405],
      [ping().replace("GET", "FOO"), 405],
      [ping().replace("GET", "TRACE"), 405],
      [ping().replace("/v1/ping", `/v1/ping?${"a".repeat(60_001)}`), 414],
      [ping(`X-A: ${"a".repeat(140_000)}`), 431],
    ] as const) {
      const answer = await converse(text);
      expect(statuses(answer)).toEqual([status]);
      expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
      expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)).meta.code).toBe(status);
    }
  });

  it("passes a WebSocket on, and what follows on it stays in it", async () => {
    const { testSecret } = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
    const key = [
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      `Authorization: ${testSecret}`,
    ];
    const live = (...headers: string[]) => lines("GET /v1/live HTTP/1.1", "Host: x", ...headers);
    const answers = await converse(live(...UPGRADE, ...key), ping(...FORGED));
    expect(answers).toMatch(/^HTTP\/1\.1 101 /);
    expect([statuses(answers), addresses(answers)]).toEqual([[101], []]);
    // Without the key it is refused, and the connection is over.
    expect(statuses(await converse(live(...UPGRADE, ...key.slice(0, 2)), ping(...FORGED)))).toEqual([401]);
  });

  it("signs in by https cookies of this host alone, and tells browsers to stay with https", async () => {
    const { value } = await createSession(state);
    const session = (...cookies: string[]) =>
      converse(
        lines("GET /dashboard/api/session HTTP/1.1", "Host: x.example", "Sec-Fetch-Site: same-origin", ...cookies),
      ).then((answer) => [statuses(answer), /strict-transport-security: max-age=31536000/i.test(answer)]);
    expect(await session(`Cookie: __Host-graticule=${value}`)).toEqual([[200], true]);
    const other = "b".repeat(64);
    for (const cookies of [
      [`Cookie: \u00c2\u00a0__Host-graticule=${value}`],
      [`Cookie: \u00a0__Host-graticule=${value}`],
      [`Cookie: graticule=${value}`],
      [`Cookie: __host-graticule=${value}`],
      [`Cookie: __Host-graticule="${value}"`],
      [`Cookie: __Host-graticule=${other}; __Host-graticule=${value}`],
      [`Cookie: __Host-graticule=${value}`, `Cookie: __Host-graticule=${other}`],
    ])
      expect([cookies, await session(...cookies)]).toEqual([cookies, [[401], true]]);
    const hidden = `Cookie: \u00c2\u00a0__Host-graticule=${other}; __Host-graticule=${value}`;
    expect(await session(hidden)).toEqual([[200], true]);
  });

  it("is where the links of members lead", async () => {
    const words = ["member", "add", "ann@example.com", "--role", "read", "--persist-to", state];
    const { code, output } = await finished(runCli("project.ts", words));
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`https://127.0.0.1:${port}/dashboard/#/sign-in?token=`),
    ]);
    const elsewhere = await finished(
      runCli("project.ts", [...words.with(1, "link").toSpliced(3, 2), "--url", "https://a.example"]),
    );
    expect(elsewhere.output).toContain("https://a.example/dashboard/#/sign-in?token=");
  });
});
