import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { changeLimits } from "../../src/server/project/project-limits.ts";
import { anyPort } from "../server/commands/dev-process.ts";
import { startProcess } from "../server/commands/start/start-process.ts";
import { startLoad } from "../server/commands/start/stop-load.ts";
import { selfSigned } from "../support/tls-proxy.ts";
import { publishWorlds } from "../support/worlds/kept-worlds.ts";
import type { Report } from "./bench.ts";

export const name = "stop";
export const summary =
  "SIGTERM to npm start under 200 updates a second: requests that are cut. [stops=10 rate=200 busy=2 tls=yes].";

/** Time under load before the signal, and after the end [s]. */
const BEFORE = 3;

export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const options: Record<string, string> = Object.fromEntries(words.map((word) => word.split("=", 2)));
  const [stops, rate, busy] = [Number(options.stops ?? 10), Number(options.rate ?? 200), Number(options.busy ?? 0)];
  const isTls = options.tls === "yes";
  const folder = mkdtempSync(join(tmpdir(), "graticule-stop-"));
  const state = join(folder, "state");
  await publishWorlds(["world"], state);
  const port = await anyPort();
  const flags = ["--quiet"];
  if (isTls) {
    const { cert, key } = await selfSigned();
    const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
    flags.push("--tls-cert", files.cert, "--tls-key", files.key);
  }
  const burners = Array.from({ length: busy }, () => new Worker("for (;;);", { eval: true }));
  const all = { answered: 0, asked: 0, refused: 0, cut: 0, slowest: 0 };
  let isLimited = true;
  try {
    for (let n = 0; n < stops; n++) {
      const server = await startProcess(state, port, flags);
      const { testSecret: key } = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
      if (isLimited) await changeLimits(openLocalDatabase(state), 1, new Map([["track", 1000]]));
      isLimited = false;
      const load = startLoad({ port, key, rate, isTls });
      await sleep(BEFORE * 1000);
      load.mark();
      const began = performance.now();
      server.process.kill("SIGTERM");
      const code = await server.left;
      const seconds = (performance.now() - began) / 1000;
      await sleep(100);
      const { answered, asked, refused, cuts } = await load.end();
      console.error(
        `stop ${n}: code ${code}, ${seconds.toFixed(1)} s, ${answered} answered, ${asked} asked, ${refused} refused, ${cuts.length} cut ${cuts
          .slice(0, 5)
          .map(({ how, at }) => `${how} at ${at} ms`)
          .join("; ")}`,
      );
      all.answered += answered;
      all.asked += asked;
      all.refused += refused;
      all.cut += cuts.length;
      all.slowest = Math.max(all.slowest, seconds);
    }
  } finally {
    for (const burner of burners) await burner.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
  const of = `${stops} stops`;
  report({ case: of, metric: "cut", value: all.cut, unit: "", baseline: 0 });
  report({ case: of, metric: "503", value: all.asked, unit: "" });
  report({ case: of, metric: "not connected", value: all.refused, unit: "" });
  report({ case: of, metric: "answered", value: all.answered, unit: "" });
  report({ case: of, metric: "slowest stop", value: all.slowest, unit: "s", baseline: 10 });
}
