import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { programIn } from "../../core/metrics/promtool.ts";
import { CADDY, CADDYFILE, startCaddy } from "../../support/caddy.ts";
import { publishWorlds } from "../../support/worlds/kept-worlds.ts";
import { anyPort } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";
import { startProcess } from "./start/start-process.ts";

const HOSTING = resolve(import.meta.dirname, "../../../docs/hosting");
const UNITS = ["graticule.service", "graticule-verify.service", "graticule-verify.timer"];
// Debian: apt-get install systemd.
const ANALYZE = programIn("systemd-analyze");
const folder = scratchFolder();

/** A request that does not check the certificate of Caddy's own authority. */
function ask(url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((done, failed) => {
    const { method = "GET", headers = {}, body } = options;
    const outgoing = request(url, { method, headers, rejectUnauthorized: false }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      done({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
    });
    outgoing.on("error", failed);
    outgoing.end(body);
  });
}

describe("the systemd units of docs/hosting", () => {
  it.skipIf(!ANALYZE)("are accepted by systemd-analyze (skipped without systemd)", () => {
    for (const unit of UNITS) {
      // Where the machine has no such program, the unit names one that it has.
      const text = readFileSync(join(HOSTING, unit), "utf8").replace(
        "/opt/graticule/node_modules/.bin/node",
        process.execPath,
      );
      writeFileSync(join(folder, unit), text.replace("WorkingDirectory=/opt/graticule", `WorkingDirectory=${folder}`));
    }
    for (const unit of UNITS) {
      const { status, stdout, stderr } = spawnSync(ANALYZE as string, ["verify", join(folder, unit)], {
        encoding: "utf8",
      });
      expect([unit, status, stdout + stderr]).toEqual([unit, 0, ""]);
    }
  });

  it("start commands with options that they have", () => {
    const help = (script: string) => readFileSync(resolve(HOSTING, "../../src/server", script), "utf8");
    const texts = {
      "start/command.ts": readFileSync(join(HOSTING, UNITS[0]), "utf8"),
      "restore.ts": readFileSync(join(HOSTING, UNITS[1]), "utf8"),
    };
    for (const [script, text] of Object.entries(texts)) {
      const line = /^ExecStart=(.*)$/m.exec(text)?.[1] ?? "";
      const options = line.match(/--[a-z-]+/g) ?? [];
      expect(options.length).toBeGreaterThan(0);
      for (const option of options) expect(help(script)).toContain(`${option} `);
    }
  });
});

describe.skipIf(!CADDY)(
  "a real Caddy with the documented Caddyfile (skipped without caddy)",
  { timeout: 120_000 },
  () => {
    it("is valid", () => {
      const home = join(folder, "home");
      mkdirSync(home, { recursive: true });
      cpSync(CADDYFILE, join(folder, "Caddyfile"));
      const environment = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
      const words = ["validate", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
      expect(
        execFileSync(CADDY as string, words, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
      ).toContain("Valid configuration");
    });

    it("passes the client's address on, and the server answers with Secure cookies and HSTS; a restart is waited for", async () => {
      const state = join(folder, "state");
      await publishWorlds(["world"], state);
      const [port, https, http] = [await anyPort(), await anyPort(), await anyPort()];
      const options = ["--url", `https://localhost:${https}`];
      let server = await startProcess(state, port, options);
      const caddy = await startCaddy(port, https, http);
      try {
        const ping = await ask(`${caddy.origin}/v1/ping`, { headers: { "x-forwarded-for": "203.0.113.7" } });
        // What the client itself wrote is dropped.
        expect(JSON.parse(ping.body)).toMatchObject({
          meta: { code: 200 },
          ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        });
        expect(ping.headers["strict-transport-security"]).toBe("max-age=31536000");
        const token = /sign-in\?token=([0-9a-f]{64})/.exec(server.said())?.[1];
        const signedIn = await ask(`${caddy.origin}/dashboard/api/sign-in`, {
          method: "POST",
          headers: { origin: caddy.origin, "content-type": "application/json" },
          body: JSON.stringify({ token }),
        });
        expect(signedIn.status).toBe(200);
        expect(String(signedIn.headers["set-cookie"])).toMatch(
          /^__Host-graticule=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
        );
        server.process.kill("SIGTERM");
        await server.left;
        const during = ask(`${caddy.origin}/v1/ping`);
        server = await startProcess(state, port, options);
        expect((await during).status).toBe(200);
      } finally {
        await caddy.stop();
        server.process.kill("SIGTERM");
        await server.left;
      }
    });
  },
);
