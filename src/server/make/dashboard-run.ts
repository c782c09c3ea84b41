import { runCommand } from "../base/command.ts";
import { buildDashboard } from "./build-dashboard.ts";

// A process of its own for start/build-apart.ts: what a build needs in memory is given back.
// Whoever starts first builds for all, under whatever umask. The folder may be there since then.
process.umask(0o022);
await runCommand(async () => {
  await buildDashboard({ log: console.log });
});
