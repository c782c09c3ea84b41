import { globSync } from "node:fs";
import { ROOT } from "../support/imports.ts";
import { Near } from "./near.ts";

/**
 * Tests that take long and prove what changes rarely. An ordinary run leaves out those that no relevant change reaches; the night runs all,
 * and so does who names them (docs/decisions/tests.md). What each proves in principle has a quicker test beside it, which always runs.
 */
interface Rare {
  tests: readonly string[];
  /** The files whose change matters, of those that a test reaches. */
  of: RegExp;
}

const RARE: readonly Rare[] = [
  // Rules over real map data; the pure tests beside prove the same over drawn towns.
  { tests: ["test/**/*.extracts.test.ts"], of: /./ },
  // Tests of what measures and tries the platform.
  {
    tests: ["test/{bench,mutation,near,simulation,soak}/**/*.test.ts", "test/fuzz/tools.test.ts"],
    of: /^test\/(bench|fuzz|growth|mutation|near|simulation|soak)\//,
  },
  // Pages in Chromium. Ways in, maps and the tour of test/browser/tour.test.ts always run.
  {
    tests: [
      "test/browser/{dashboard-maps,dashboard-pages,docs-pages,every-page,files,geodata-page,map-work,phone-forms,route-tools,ten-jobs,values-of-now,webhooks-page,smooth}.test.ts",
    ],
    of: /^(src\/dashboard|src\/worker\/http\/(dashboard|reference)|docs\/guides|test\/(browser|dashboard))\//,
  },
  // Clients of other services in Chromium; test/worker/http/peers asks what they ask.
  {
    tests: ["test/browser/peer-clients.test.ts"],
    of: /^(src\/worker\/(http\/(peers|serve)|answers)|test\/(browser|worker\/http\/peers))\//,
  },
  // Imports in processes of their own, which are killed; test/importer/run/{import,resume}.test.ts run and stop them in process.
  {
    tests: ["test/importer/run/{bad-end,command}.worker.test.ts"],
    of: /^(src\/(importer|server|demo)|test\/importer)\//,
  },
  // Servers of several processes, with another bucket, proxy, disk or earlier state, for developers, and deployments. start.test.ts,
  // backup.test.ts and kill.test.ts always run.
  {
    tests: [
      "test/server/commands/{deploy,dev}.test.ts",
      "test/server/commands/backup/{standby,backup-archive,backup-learning}.test.ts",
      "test/server/commands/start/{damaged-state,full-disk,nightly-learning,older-world,processes,start-s3,stuck,tls-proxy,upgrade}.test.ts",
    ],
    of: /^(migrations|src\/server|src\/worker\/(db|platform|storage)|test\/(kill|server))\/|^(src\/worker\/index\.ts|wrangler\.toml|README\.md|docs\/guides\/getting-started\.md)$/,
  },
  // The world base within the heap of a start: 70 s of CPU; test/importer/layers/basemap proves what it holds.
  {
    tests: ["test/server/commands/start/world-heap.test.ts"],
    of: /^(src\/(importer|server\/state)|test\/server\/commands\/start)\//,
  },
  // Projects that move under traffic; test/worker/databases/{move,interrupted-rounds}.test.ts stop a move at each step.
  {
    tests: [
      "test/worker/databases/{move,residency,meetings-move}.worker.test.ts",
      "test/worker/databases/move-rounds.test.ts",
    ],
    of: /^(migrations|src\/worker\/(db\/(databases|moves)|objects\/(moves|residence|rounds))|test\/worker\/databases)\//,
  },
  // The dearest request of each endpoint; test/core/geo/turns.test.ts proves the queue, test/worker/http/computing.test.ts the account.
  {
    tests: ["test/slices/slices.worker.test.ts"],
    of: /^(src\/(core\/(fleet|geo|routing)|worker\/(answers|platform))|test\/slices)\//,
  },
  // What each role may; test/dashboard/access.worker.test.ts proves that roles are checked, and the table that each endpoint has one.
  { tests: ["test/dashboard/every-role.worker.test.ts"], of: /^(src\/core\/auth|src\/worker\/http|test\/dashboard)\// },
  // A Worker whose geodata is damaged; damage.test.ts and bucket-away.test.ts beside it prove the rules.
  {
    tests: ["test/worker/geodata/damage.worker.test.ts"],
    of: /^(src\/(core\/geo\/builds|worker\/(geodata|storage))|test\/worker\/geodata)\//,
  },
  // The day of the demo project, thousands of updates; test/core/tracking and test/worker/http/track prove what they do.
  { tests: ["test/demo/fill.worker.test.ts"], of: /^(src|test)\/demo\// },
  // Each endpoint without each of its dependencies; test/worker/geodata/bucket-away.test.ts and database-away.test.ts prove the rules.
  {
    tests: ["test/worker/outages/outages.worker.test.ts"],
    of: /^(wrangler\.toml$|(src\/worker|test\/(fuzz|worker\/outages))\/)/,
  },
  // Drawn requests; test/worker/http/reference/every-endpoint.test.ts sends each endpoint the same odd ones.
  { tests: ["test/fuzz/fuzz.test.ts"], of: /^(src\/(core|worker)|test\/(fuzz|growth))\// },
];

/** The rare tests that need not run where these files changed, relative to the root. */
export function unneeded(changed: readonly string[]): string[] {
  const near = new Near();
  return RARE.flatMap(({ tests, of }) => {
    const all = globSync([...tests], { cwd: ROOT });
    const needed = new Set(
      near.testsNear(
        changed.filter((path) => of.test(path) || near.isOfAll(path)),
        all,
      ),
    );
    return all.filter((test) => !needed.has(test));
  });
}
