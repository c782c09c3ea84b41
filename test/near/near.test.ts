import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/imports.ts";
import { isRelease } from "./changed.ts";
import { FileGraph } from "./graph.ts";
import { Near } from "./near.ts";
import { unneeded } from "./rare.ts";

const graph = new FileGraph();
const near = new Near(graph);

describe("the tests near a change", () => {
  it("are those that import it, however far", () => {
    const tests = near.testsNear(["src/core/tracking/steps/apply-update.ts"]);
    expect(tests).toContain("test/core/tracking/steps.test.ts");
    expect(tests).not.toContain("test/core/geo/units.test.ts");
  });

  it("are those that read it, also as a member of a folder", () => {
    expect(near.testsNear(["src/dashboard/theme.css"])).toContain("test/dashboard/contrast.test.ts");
    expect(near.testsNear(["migrations/0001_foundation.sql"])).toContain("test/server/doctor/machine.test.ts");
    expect(near.testsNear(["docs/formats/roads.md"])).not.toContain("test/core/geo/units.test.ts");
  });

  it("include requests to a handler that changed, and leave out those to others", () => {
    const tests = near.testsNear(["src/worker/http/geocode/forward.ts"]);
    expect(tests).toContain("test/worker/http/geocode/geocode.test.ts");
    expect(tests).not.toContain("test/worker/http/track/trips.test.ts");
  });

  it("include requests that reach a Durable Object through its binding", () => {
    const tests = near.testsNear(["src/worker/objects/tracker/device-tracker.ts"]);
    expect(tests).toContain("test/worker/http/track/ingest.test.ts");
    expect(tests).not.toContain("test/worker/http/routes/isochrone.test.ts");
  });

  it("include requests where the path of all requests changed", () => {
    const tests = near.testsNear(["src/worker/http/serve/serve.ts"]);
    expect(tests).toEqual(expect.arrayContaining(["test/worker/http/geocode/geocode.test.ts"]));
    expect(tests).toEqual(expect.arrayContaining(["test/worker/http/track/trips.test.ts"]));
  });

  it("are all where a dependency or the configuration of tests changed", () => {
    expect(near.testsNear(["package-lock.json"])).toEqual(near.tests);
  });

  it("are none where nothing changed, and itself where a test did", () => {
    expect(near.testsNear([])).toEqual([]);
    expect(near.testsNear(["test/core/geo/units.test.ts"])).toContain("test/core/geo/units.test.ts");
  });
});

describe("tests that an ordinary run leaves out", () => {
  it("are rare ones where nothing changed", () => {
    const all = unneeded([]);
    expect(all).toContain("test/core/maps/seams.extracts.test.ts");
    expect(all).toContain("test/mutation/mutations.test.ts");
    expect(all).toContain("test/browser/dashboard-pages.test.ts");
    expect(all).not.toContain("test/server/commands/start/start.test.ts");
  });

  it("are not extracts whose rules changed", () => {
    const left = unneeded(["src/core/routing/search/overlay.ts"]);
    expect(left).toContain("test/core/maps/seams.extracts.test.ts");
    expect(left).not.toContain("test/core/routing/search/exact.extracts.test.ts");
  });

  it("are not tools that changed, but tools where the platform did", () => {
    expect(unneeded(["test/mutation/mutations.ts"])).not.toContain("test/mutation/mutations.test.ts");
    expect(unneeded(["src/core/geo/distance.ts"])).toContain("test/mutation/mutations.test.ts");
  });

  it("are not pages or servers that changed", () => {
    const [pages, servers] = [unneeded(["src/dashboard/theme.css"]), unneeded(["src/server/backup/freeze.ts"])];
    expect(pages).not.toContain("test/browser/dashboard-pages.test.ts");
    expect(pages).toContain("test/server/commands/backup/standby.test.ts");
    expect(servers).toContain("test/browser/dashboard-pages.test.ts");
    expect(servers).not.toContain("test/server/commands/backup/standby.test.ts");
  });

  it("are none where a dependency changed", () => {
    expect(unneeded(["package-lock.json"])).toEqual([]);
  });

  it("are no fewer for a version of the platform, and more for one of a dependency", () => {
    const own = '--- a/package.json\n+++ b/package.json\n@@ -3 +3 @@\n-  "version": "0.4.0",\n+  "version": "0.5.0",';
    const told = '\n-export const VERSION = "0.4.0";\n+export const VERSION = "0.5.0";';
    const hash = '\n-      "integrity": "sha512-a",\n+      "integrity": "sha512-b",';
    expect([own, own + told, own + hash, `${own}\n+    "hono": "4.13.20",`, ""].map(isRelease)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
  });
});

describe("a file of which only types are imported", () => {
  it("is reached by no test that calls what imports it", () => {
    const { runs, reads } = graph.edgesOf("src/worker/objects/rate-limiter-stub.ts");
    expect([[...new Set(runs)].sort(), reads]).toEqual([
      ["src/worker/objects/remote.ts", "src/worker/platform/processes.ts"],
      [],
    ]);
  });
});

describe("the graph of files", () => {
  it("reaches each source of the Worker from its entry", () => {
    const own = [...graph.files].filter((path) => /^src\/(worker|core)\/.*\.ts$/.test(path) && !path.endsWith(".d.ts"));
    const reached = graph.reachOf(["src/worker/index.ts"]);
    const missing = own.filter((path) => path.startsWith("src/worker/") && !reached.has(path));
    // Types only: nothing of them is left in the bundle.
    expect(
      missing.filter((path) => /\b(?:const|function|class)\b/.test(readFileSync(join(ROOT, path), "utf8"))),
    ).toEqual([]);
  });
});
