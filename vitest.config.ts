import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Two speeds. `pure` calls functions and starts no server: a room's tests take seconds (`extracts` are the same over real map
 * data, in files of their own). `worker` talks to a running Worker, or
 * starts processes of its own. What belongs to `worker` is told by where it lies: one of these folders, or a name that ends in
 * `.worker.test.ts`. test/architecture/speeds.test.ts sees to it that no pure test reaches for a server.
 */
/** Over extracts of real map data, where there are some: seconds each, and as pure as the others. */
const EXTRACTS_TESTS = ["test/**/*.extracts.test.ts"];

export const WORKER_TESTS = [
  ...["browser", "cli", "fuzz", "http", "kill", "sdk"].map((folder) => `test/${folder}/**/*.test.ts`),
  "test/**/*.worker.test.ts",
];

/** Small files that take long. Vitest begins with large files where it has not seen them run: these would be waited for at the end. */
const SLOW = [
  ...["fuzz/fuzz.test.ts", "kill/kill.test.ts", "webhooks/delivery.worker.test.ts", "geodata/new-build.worker.test.ts"],
  ...[
    "routing/exact.extracts.test.ts",
    "routing/exact.test.ts",
    "routing/snap.test.ts",
    "importer/import.extracts.test.ts",
  ],
].map((path) => `/test/${path}`);

/** Slow files first, project by project. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    // Vitest leaves one core for itself, and sleeps while tests run; and many tests wait: for a process, an alarm, an answer.
    maxWorkers: availableParallelism() + 1,
    // Of the rooms a test can enter without a Worker; what only a Worker runs is not counted, and not to be.
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/{http,objects,db,dashboard,cli}/**", "src/*.ts"],
      reporter: ["text-summary"],
    },
    projects: [
      {
        test: {
          name: "pure",
          include: ["test/**/*.test.ts"],
          exclude: [...WORKER_TESTS, ...EXTRACTS_TESTS],
          // One process reads each module once for all its files: pure modules keep no state that a test could see.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "extracts",
          include: EXTRACTS_TESTS,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "worker",
          include: WORKER_TESTS,
          globalSetup: ["test/support/server.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
