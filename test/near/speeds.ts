/**
 * Two speeds. `pure` calls functions and starts no server: a room's tests take seconds (`extracts` are the same over real map
 * data, in files of their own). `worker` talks to a running Worker, or
 * starts processes of its own. What belongs to `worker` is told by where it lies: one of these folders, or a name that ends in
 * `.worker.test.ts`. test/architecture/speeds.test.ts sees to it that no pure test reaches for a server.
 */
/** Over extracts of real map data, where there are some: seconds each, and as pure as the others. */
export const EXTRACTS_TESTS = ["test/**/*.extracts.test.ts"];

export const WORKER_TESTS = [
  ...["browser", "client/sdk", "fuzz", "kill", "server/commands", "worker/http"].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  "test/**/*.worker.test.ts",
];
