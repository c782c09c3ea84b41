import { runCommand } from "../base/command.ts";
import { buildDashboard } from "../make/build-dashboard.ts";
import { workerBundle } from "./worker-bundle.ts";

// A process of its own for build-apart.ts: what a build needs in memory is given back.
// Whoever starts first builds for all, under whatever umask. The folder may be there since then.
process.umask(0o022);
const log = (line: string) => console.log(line);
await runCommand(async () => {
  await (process.argv[2] === "dashboard" ? buildDashboard({ log }) : workerBundle({ log }));
});
