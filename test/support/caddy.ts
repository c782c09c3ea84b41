import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { programIn } from "../core/metrics/promtool.ts";

// Debian: apt-get install caddy.
export const CADDY = programIn("caddy");
export const CADDYFILE = resolve(import.meta.dirname, "../../docs/hosting/Caddyfile");

/**
 * A real Caddy with the documented Caddyfile: for localhost, on free ports, with a certificate of its own authority.
 * @returns where it answers, and how to end it
 */
export async function startCaddy(
  target: number,
  https: number,
  http: number,
): Promise<{ origin: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "graticule-caddy-"));
  const config = join(folder, "Caddyfile");
  const text = readFileSync(CADDYFILE, "utf8")
    .replace("maps.example.com {", `localhost:${https} {\n\ttls internal`)
    .replace("127.0.0.1:8787", `127.0.0.1:${target}`);
  const options = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tskip_install_trust\n}\n`;
  writeFileSync(config, options + text);
  const child: ChildProcess = spawn(CADDY as string, ["run", "--config", config, "--adapter", "caddyfile"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  });
  let said = "";
  child.stderr?.on("data", (more) => {
    said += more;
  });
  const left = new Promise<void>((end) => child.once("exit", () => end()));
  await new Promise<void>((ready, failed) => {
    const timer = setInterval(() => {
      if (!said.includes("serving initial configuration")) return;
      clearInterval(timer);
      ready();
    }, 50);
    void left.then(() => {
      clearInterval(timer);
      failed(new Error(`caddy ended: ${said}`));
    });
  });
  // Its authority signs the certificate while requests are already accepted.
  for (const until = Date.now() + CERTIFICATE_MS; !(await hasCertificate(https)); await sleep(50))
    if (Date.now() > until) throw new Error(`caddy has no certificate: ${said}`);
  return {
    origin: `https://localhost:${https}`,
    async stop() {
      child.kill();
      await left;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const CERTIFICATE_MS = 30_000;

/** Does it complete a TLS handshake? */
function hasCertificate(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", servername: "localhost", rejectUnauthorized: false });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("secureConnect", () => end(true));
    socket.once("error", () => end(false));
  });
}
