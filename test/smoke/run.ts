import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `npm run test:smoke`: starts the server in an empty folder with `npm start`, and sends one request per family of endpoints. For
 * systems and versions of Node on which the complete tests do not run.
 */

/** Method, path, expected status, and the body of a POST or PUT. */
const REQUESTS: readonly [method: string, path: string, status: number, body?: unknown][] = [
  ["GET", "/v1/ping", 200],
  ["GET", "/openapi.json", 200],
  ["GET", "/docs", 200],
  ["GET", "/dashboard/", 200],
  ["PUT", "/v1/geofences/smoke/one", 200, circle()],
  ["POST", "/v1/track", 200, { deviceId: "smoke", latitude: 49, longitude: -111.2, accuracy: 10 }],
  ["GET", "/v1/events", 200],
  ["GET", "/v1/trips", 200],
  ["GET", "/v1/search/geofences?near=49,-111.2", 200],
  ["GET", "/v1/geocode/forward?query=Montana", 200],
  ["GET", "/v1/geocode/reverse?coordinates=48.8566,2.3522", 200],
  ["GET", "/v1/search/autocomplete?query=Par", 200],
  // Without an import there are no roads: the response says so.
  ["GET", "/v1/route/distance?origin=49,-111.2&destination=49.01,-111.2&modes=car&units=metric", 200],
  ["GET", "/maps/tiles/0/0/0", 200],
  ["GET", "/maps/static?center=48.8566,2.3522&zoom=4&width=200&height=100", 200],
  ["GET", "/v1/settings", 200],
  ["GET", "/v1/users", 200],
  ["GET", "/v1/nothing", 404],
];

function circle() {
  return { description: "Smoke", type: "circle", coordinates: [-111.2, 49], radius: 100 };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

const state = mkdtempSync(join(tmpdir(), "graticule-smoke-"));
const port = await freePort();
const script = join(import.meta.dirname, "../../src/server/start.ts");
const server = spawn(process.execPath, ["--no-warnings", script, "--port", String(port), "--persist-to", state], {
  stdio: ["ignore", "pipe", "pipe"],
});
const left = once(server, "exit");
let failed = 0;
try {
  let said = "";
  await Promise.race([
    new Promise<void>((ready) => {
      for (const stream of [server.stdout, server.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          said += text;
          if (said.includes("is ready at")) ready();
        });
    }),
    left.then(([code]) => Promise.reject(new Error(`npm start ended with ${code}:\n${said}`))),
  ]);
  const { testSecret } = JSON.parse(readFileSync(join(state, "keys.json"), "utf8")) as { testSecret: string };
  for (const [method, path, status, body] of REQUESTS) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: testSecret, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = await response.bytes();
    const isGood = response.status === status && bytes.length > 0;
    if (!isGood) failed++;
    console.log(`${isGood ? "ok" : "FAILED"} ${response.status} ${method} ${path}`);
    if (!isGood) console.log(new TextDecoder().decode(bytes.subarray(0, 500)));
  }
} finally {
  server.kill("SIGTERM");
  await left;
  rmSync(state, { recursive: true, force: true });
}
console.log(`${REQUESTS.length - failed} of ${REQUESTS.length} requests have the expected status.`);
process.exitCode = failed === 0 ? 0 : 1;
