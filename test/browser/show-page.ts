import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { Driver } from "./driver.ts";

const MODULES = resolve(import.meta.dirname, "../../node_modules");

/** Files of installed packages that a page may load, by the path it loads them from. */
const FILES: Record<string, [file: string, type: string]> = {
  "/maplibre-gl.js": ["maplibre-gl/dist/maplibre-gl.js", "text/javascript"],
  "/maplibre-gl.css": ["maplibre-gl/dist/maplibre-gl.css", "text/css"],
  "/radar.js": ["radar-sdk-js/dist/radar.js", "text/javascript"],
  "/radar-maps.js": ["@radarlabs/plugin-maps/cdn/radar-maps.js", "text/javascript"],
  "/radar-maps.css": ["@radarlabs/plugin-maps/cdn/radar-maps.css", "text/css"],
};

/**
 * Shows a page in Chromium, with WebGL, until it reports: what it sends to `POST /report` as JSON. The page has its own origin, as a
 * customer's page does.
 * @throws Error with the errors of the page, if it does not report in time
 */
export async function showPage<T>(html: string, { width = 600, height = 400, timeoutMs = 90_000 } = {}): Promise<T> {
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
  const driver = await Driver.start({ scale: 1, drawsMaps: true });
  const late = setTimeout(
    () => reject(new Error(`the page did not report:\n${driver.errors().join("\n")}`)),
    timeoutMs,
  );
  try {
    await driver.look(width, "light", height);
    await driver.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return await report;
  } finally {
    clearTimeout(late);
    await driver.close();
    server.close();
    server.closeAllConnections();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
