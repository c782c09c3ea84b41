import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { EXTRACTS_TESTS, WORKER_TESTS } from "./test/near/speeds.ts";

/**
 * Maximum times of a test and of a hook [ms]. Conditions end waits; these bounds are for a machine with four times as much work as
 * processors. test/architecture/time-limits.test.ts finds tests with a shorter limit of their own.
 */
export const LIMITS = {
  pure: { testTimeout: 60_000, hookTimeout: 60_000 },
  extracts: { testTimeout: 120_000, hookTimeout: 120_000 },
  worker: { testTimeout: 90_000, hookTimeout: 180_000 },
};

/**
 * Files of 20 s and more, the longest first. Vitest knows how long files took where it has seen them run; in a clean clone it begins with
 * large files, and small ones that take long would be waited for at the end.
 */
const SLOW = [
  ...[
    "worker/databases/residency.worker.test.ts",
    "worker/databases/move.worker.test.ts",
    "server/commands/backup/standby.test.ts",
  ],
  ...["importer/run/bad-end.worker.test.ts", "browser/dashboard-maps.test.ts", "worker/geodata/damage.worker.test.ts"],
  ...[
    "worker/http/reference/every-endpoint.test.ts",
    "dashboard/every-role.worker.test.ts",
    "fuzz/fuzz.test.ts",
    "worker/http/track/trips.test.ts",
  ],
  ...["browser/interactive-map.test.ts", "browser/dashboard-pages.test.ts", "browser/docs-pages.test.ts"],
  ...["demo/fill.worker.test.ts", "core/webhooks/delivery.worker.test.ts", "browser/map-work.test.ts"],
  ...[
    "server/commands/dev.test.ts",
    "server/commands/start/start.test.ts",
    "server/commands/start/start-s3.test.ts",
    "server/commands/backup/backup.test.ts",
  ],
  ...[
    "importer/odd/odd-files.test.ts",
    "importer/run/command.worker.test.ts",
    "kill/kill.test.ts",
    "server/commands/start/full-disk.test.ts",
    "worker/http/reference/shapes.test.ts",
  ],
  ...[
    "worker/http/project/scopes-everywhere.test.ts",
    "worker/http/geocode/address-validation.test.ts",
    "worker/http/track/read-after-track.test.ts",
  ],
  ...[
    "browser/files.test.ts",
    "browser/geodata-page.test.ts",
    "browser/ways-in.test.ts",
    "server/commands/start/tls-proxy.test.ts",
  ],
  ...[
    "worker/http/conformance/conformance.test.ts",
    "worker/http/customers/geofence-search.test.ts",
    "worker/http/geocode/geocode.test.ts",
    "kill/geocode-jobs.test.ts",
  ],
  ...[
    "worker/http/running/database-away.test.ts",
    "worker/geodata/new-build.worker.test.ts",
    "mutation/scratch.worker.test.ts",
  ],
  ...[
    "worker/geodata/fifteen-imports.extracts.test.ts",
    "core/routing/search/exact.extracts.test.ts",
    "importer/run/import.extracts.test.ts",
  ],
  ...[
    "importer/run/import.test.ts",
    "core/regions/world-base.test.ts",
    "core/routing/graph/damage.test.ts",
    "core/routing/search/exact.test.ts",
  ],
  ...["core/geocoding/demo-world.test.ts", "importer/osm/read-extracts.test.ts"],
  "importer/layers/addresses/buckets.test.ts",
  "core/routing/snap.test.ts",
].map((path) => `/test/${path}`);

/** Slow files first, project by project. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => SLOW.findIndex((path) => moduleId.endsWith(path));
    const isSlow = (file: TestSpecification) => rank(file) >= 0;
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isSlow).sort((a, b) => rank(a) - rank(b)), ...own.filter((file) => !isSlow(file))];
    });
  }
}

/** Hundreds of processes read the same modules: those of tests, and the commands that tests start. Compiled once, a command starts in a third of its CPU time. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "graticule-compile-cache");

/** What `npm test` leaves out (test/near/all.ts). */
const LEFT_OUT = (process.env.GRATICULE_LEFT_OUT ?? "").split(" ").filter(Boolean);

export default defineConfig({
  test: {
    // What a test that passes writes is what it provokes.
    silent: "passed-only",
    sequence: { sequencer: SlowFirst },
    // Vitest leaves one core for itself, and sleeps while tests run. Each process more would import all modules again.
    maxWorkers: availableParallelism(),
    // Of the rooms a test can enter without a Worker; what only a Worker runs is not counted, and not to be.
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/worker/{http,objects,db}/**", "src/worker/*.ts", "src/{dashboard,server}/**"],
      reporter: ["text-summary"],
    },
    projects: [
      {
        oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
        test: {
          name: "pure",
          include: ["test/**/*.test.ts"],
          exclude: [...WORKER_TESTS, ...EXTRACTS_TESTS, ...LEFT_OUT],
          // One process reads each module once for all its files: pure modules keep no state that a test could see.
          isolate: false,
          setupFiles: ["test/support/equal-bytes.ts"],
          ...LIMITS.pure,
        },
      },
      {
        test: {
          name: "extracts",
          include: EXTRACTS_TESTS,
          exclude: LEFT_OUT,
          isolate: false,
          setupFiles: ["test/support/equal-bytes.ts"],
          ...LIMITS.extracts,
        },
      },
      {
        test: {
          name: "worker",
          include: WORKER_TESTS,
          exclude: LEFT_OUT,
          globalSetup: ["test/support/server.ts"],
          // A process runs many files and imports their modules once, with Node's own loader. Tests restore what they replace.
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // Many of these wait: for a process, an alarm, a response, a page.
          maxWorkers: availableParallelism() + 4,
          sequence: { groupOrder: 1 },
          ...LIMITS.worker,
        },
      },
    ],
  },
});
