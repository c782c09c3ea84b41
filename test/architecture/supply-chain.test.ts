import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/imports.ts";

const WORKFLOWS = join(ROOT, ".github/workflows");
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

describe("what this project is built with", () => {
  it("are actions of certain commits, with the version they are", () => {
    const used = readdirSync(WORKFLOWS).flatMap((file) => [...read(".github/workflows", file).matchAll(/uses: (.*)/g)]);
    expect(used.length).toBeGreaterThan(5);
    for (const [, action] of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("is listed with each release, which says where it was made", () => {
    const release = read(".github/workflows/release.yml");
    expect(release).toContain("npm sbom --sbom-format cyclonedx");
    expect(release).toContain("actions/attest-build-provenance@");
  });

  it("is named in NOTICE: packages that the Worker and commands use, and those in the dashboard", () => {
    const notice = read("NOTICE");
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const licenses = join(ROOT, "dist/dashboard/licenses.md");
    const bundled = existsSync(licenses)
      ? [...readFileSync(licenses, "utf8").matchAll(/^## (\S+) - /gm)].map(([, name]) => name)
      : [];
    const missing = [...Object.keys(dependencies), ...bundled].filter(
      (name) => !name.startsWith("@fontsource") && !notice.includes(name),
    );
    expect(missing).toEqual([]);
  });
});
