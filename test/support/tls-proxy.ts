import "reflect-metadata";
import { createHash, webcrypto } from "node:crypto";
import { request as ask, type IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { X509CertificateGenerator } from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** A proxy that ends TLS, as Caddy and nginx do: it adds the client's address to X-Forwarded-For and tells the scheme. */
export interface TlsProxy {
  /** "https://localhost:4711" */
  origin: string;
  /** SHA-256 of its public key, in base64: by it Chromium trusts the certificate (--ignore-certificate-errors-spki-list). */
  fingerprint: string;
  /** Where requests are passed on to. */
  pointTo(port: number): void;
  close(): void;
}

export async function startTlsProxy(): Promise<TlsProxy> {
  const { key, cert, fingerprint } = await selfSigned();
  let target = 0;
  const server = createServer({ key, cert });
  server.on("request", (incoming, response) => {
    const { method, url: path } = incoming;
    const outgoing = ask({ host: "127.0.0.1", port: target, method, path, headers: forwarded(incoming) });
    outgoing.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on("upgrade", (incoming, socket) => {
    const lines = Object.entries(forwarded(incoming)).map(([name, value]) => `${name}: ${value}`);
    const upstream = connect(target, "127.0.0.1", () => {
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on("error", () => [upstream, socket].map((one) => one.destroy()));
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    fingerprint,
    pointTo: (port) => {
      target = port;
    },
    close: () => end(server),
  };
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

function forwarded({ headers, socket }: IncomingMessage): Record<string, string | string[] | undefined> {
  const before = headers["x-forwarded-for"];
  const client = socket.remoteAddress ?? "";
  return {
    ...headers,
    "x-forwarded-for": before === undefined ? client : `${before}, ${client}`,
    "x-forwarded-proto": "https",
  };
}

/** A certificate for localhost, made for this run. */
export async function selfSigned(): Promise<{ key: string; cert: string; fingerprint: string }> {
  const crypto = webcrypto as unknown as Crypto;
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const now = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: "CN=localhost",
      notBefore: new Date(now - YEAR_MS),
      notAfter: new Date(now + YEAR_MS),
      signingAlgorithm: ALGORITHM,
      keys,
    },
    crypto,
  );
  const [pkcs8, spki] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", keys.privateKey),
    crypto.subtle.exportKey("spki", keys.publicKey),
  ]);
  const base64 = Buffer.from(pkcs8).toString("base64");
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`,
    cert: certificate.toString("pem"),
    fingerprint: createHash("sha256").update(Buffer.from(spki)).digest("base64"),
  };
}
