import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildDashboard } from "./build-dashboard.ts";
import { BUNDLE_LIMIT, bundleSize } from "./bundle-size.ts";
import { CommandError, readArguments, runCommand } from "./command.ts";
import { deployedDatabase, QUIET, ROOT, WRANGLER } from "./wrangler.ts";

const USAGE = "npm run deploy -- [--dry-run]";

const HELP = `${USAGE}

Builds the Worker, brings the deployed database up to date, and deploys.

  --dry-run   only build, and weigh the bundle
  --help      this page`;

async function deploy(): Promise<void> {
  const { values } = readArguments({
    options: { "dry-run": { type: "boolean", default: false }, help: { type: "boolean", default: false } },
  });
  if (values.help) return console.log(HELP);

  await buildDashboard();
  const dist = join(ROOT, "dist/worker");
  rmSync(dist, { recursive: true, force: true });
  wrangler(["deploy", "--dry-run", "--outdir", dist], "The Worker does not build.");
  weigh(dist);
  if (values["dry-run"]) return;

  const { name } = deployedDatabase();
  // Tables before code: a migration only ever adds, so the code that is still running works with it.
  wrangler(["d1", "migrations", "apply", name, "--remote"], "The database was not brought up to date.", "inherit");
  wrangler(["deploy"], "The Worker was not deployed.", "inherit");
}

function weigh(dist: string): void {
  const { raw, gzip } = bundleSize(dist);
  console.log(
    `bundle: ${kib(raw)} raw, ${kib(gzip)} gzip, ${Math.round((gzip / BUNDLE_LIMIT) * 100)}% of ${kib(BUNDLE_LIMIT)}`,
  );
  if (gzip > BUNDLE_LIMIT) throw new CommandError("The bundle is larger than a Worker may be.");
}

const kib = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString("en-US")} KiB`;

/** Runs wrangler to its end; its output is shown as it comes, or only when it fails. */
function wrangler(args: string[], failure: string, output: "inherit" | "pipe" = "pipe"): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", WRANGLER, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
    stdio: ["inherit", output, output],
    encoding: "utf8",
  });
  if (status !== 0) throw new CommandError([failure, stdout?.trim(), stderr?.trim()].filter(Boolean).join("\n"));
}

await runCommand(deploy, USAGE);
