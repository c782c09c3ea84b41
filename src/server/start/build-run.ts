import { buildDashboard } from "../make/build-dashboard.ts";
import { workerBundle } from "./worker-bundle.ts";

// A process of its own for build-apart.ts: what a build needs in memory is given back.
const log = (line: string) => console.log(line);
if (process.argv[2] === "dashboard") await buildDashboard({ log });
else await workerBundle({ log });
