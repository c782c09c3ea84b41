import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Debian's Chromium, or the one that CHROMIUM names; undefined where there is none. */
export const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium"].find((path) => path && existsSync(path));

/** Two cores full of other tests starve a browser for seconds at times: what fails is tried once more. With EVERY_LOOK=1, as at night, every failure counts. */
export const AGAIN = { retry: process.env.EVERY_LOOK ? 0 : 1 } as const;

const MODULES = resolve(import.meta.dirname, "../../node_modules");

/** Files of installed packages that a page may load, by the path it loads them from. */
const FILES: Record<string, [file: string, type: string]> = {
  "/maplibre-gl.js": ["maplibre-gl/dist/maplibre-gl.js", "text/javascript"],
  "/maplibre-gl.css": ["maplibre-gl/dist/maplibre-gl.css", "text/css"],
  "/radar.js": ["radar-sdk-js/dist/radar.js", "text/javascript"],
  "/radar-maps.js": ["@radarlabs/plugin-maps/cdn/radar-maps.js", "text/javascript"],
  "/radar-maps.css": ["@radarlabs/plugin-maps/cdn/radar-maps.css", "text/css"],
};

/** WebGL in software, and nothing of a browser that a test does not need. */
const FLAGS = [
  ...["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  ...["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
  ...["--disable-sync", "--disable-default-apps", "--hide-scrollbars", "--disable-dev-shm-usage"],
];

/**
 * Shows a page in headless Chromium until it reports: what it sends to `POST /report` as JSON. The page is on an origin of its
 * own, as a customer's is.
 * @throws Error with what Chromium said, when nothing is reported in time
 */
export async function showPage<T>(html: string, { width = 600, height = 400, timeoutMs = 90_000 } = {}): Promise<T> {
  if (!CHROMIUM) throw new Error("there is no Chromium");
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const { promise: report, resolve: done, reject } = Promise.withResolvers<T>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    if (path === "/report") {
      response.end();
      done(JSON.parse(await textOf(request)));
      return;
    }
    const [file, type] = path === "/" ? [undefined, "text/html; charset=utf-8"] : (FILES[path] ?? []);
    response.writeHead(type ? 200 : 404, { "content-type": type ?? "text/plain" });
    response.end(path === "/" ? html : file && readFileSync(join(MODULES, file)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = spawn(
    CHROMIUM,
    [...FLAGS, `--user-data-dir=${profile}`, `--window-size=${width},${height}`, origin],
    {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    },
  );
  let said = "";
  browser.stderr.on("data", (text) => {
    said = `${said}${text}`.slice(-4000);
  });
  const late = setTimeout(() => reject(new Error(`the page did not report; Chromium said:\n${said}`)), timeoutMs);
  browser.once("exit", (code) => reject(new Error(`Chromium ended with ${code}:\n${said}`)));
  try {
    return await report;
  } finally {
    clearTimeout(late);
    const ended = new Promise((end) => browser.once("exit", end));
    // The whole group: renderers are processes of their own.
    if (browser.exitCode === null && browser.pid) {
      process.kill(-browser.pid, "SIGKILL");
      await ended;
    }
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
