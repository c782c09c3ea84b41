import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLater, release, releaseChangelog, withVersion } from "../../../src/server/release.ts";

const CHANGELOG =
  "# Changelog\n\nDates are UTC.\n\n## Unreleased\n\n### Added\n- Maps.\n\n### Changed\n\n### Fixed\n\n## 0.1.0 (2026-01-02)\n\n- Ping.\n";
const PACKAGE = '{\n  "name": "town",\n  "version": "0.1.0",\n  "dependencies": { "other": "0.1.0" }\n}\n';
const LOCK =
  '{\n  "name": "town",\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "name": "town",\n      "version": "0.1.0"\n    },\n    "node_modules/other": {\n      "version": "0.1.0"\n    }\n  }\n}\n';
const NOW = { now: new Date("2026-11-22T23:59:00Z") };

let folder: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
const read = (file: string) => readFileSync(join(folder, file), "utf8");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-release-"));
  for (const [file, text] of [
    ["CHANGELOG.md", CHANGELOG],
    ["package.json", PACKAGE],
    ["package-lock.json", LOCK],
  ])
    writeFileSync(join(folder, file), text);
  git("init", "--quiet");
  git("config", "user.name", "Somebody");
  git("config", "user.email", "somebody@example.com");
  git("add", ".");
  git("commit", "--quiet", "-m", "a town");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a release", () => {
  it("is a version in both files, a section with its date, one commit and one tag that tells what it brings", () => {
    release(folder, "0.2.0", NOW);
    expect(JSON.parse(read("package.json"))).toMatchObject({ version: "0.2.0", dependencies: { other: "0.1.0" } });
    const lock = JSON.parse(read("package-lock.json"));
    expect([lock.version, lock.packages[""].version, lock.packages["node_modules/other"].version]).toEqual([
      "0.2.0",
      "0.2.0",
      "0.1.0",
    ]);
    expect(read("CHANGELOG.md")).toBe(
      "# Changelog\n\nDates are UTC.\n\n## Unreleased\n\n### Added\n\n### Changed\n\n### Fixed\n\n" +
        "## 0.2.0 (2026-11-22)\n\n### Added\n- Maps.\n\n## 0.1.0 (2026-01-02)\n\n- Ping.\n",
    );
    expect(git("log", "--format=%s")).toBe("release: 0.2.0\na town");
    expect(git("tag", "--list", "--format=%(refname:short) %(objecttype)")).toBe("v0.2.0 tag");
    expect(git("tag", "--list", "--format=%(contents)")).toContain("### Added\n- Maps.");
    expect(git("status", "--porcelain")).toBe("");
  });

  it("tried dry tells what it would do, and does nothing", () => {
    expect(release(folder, "0.2.0", { ...NOW, dryRun: true }).join("\n")).toContain("- Maps.");
    expect(git("status", "--porcelain")).toBe("");
    expect([git("tag"), read("package.json")]).toEqual(["", PACKAGE]);
  });

  it("is refused over changes that are not committed, with a tag that is there, and with nothing to tell", () => {
    writeFileSync(join(folder, "new.txt"), "");
    expect(() => release(folder, "0.2.0")).toThrow("uncommitted");
    git("add", ".");
    git("commit", "--quiet", "-m", "more");
    git("tag", "v0.2.0");
    expect(() => release(folder, "0.2.0")).toThrow("The tag v0.2.0 already exists");
    release(folder, "0.3.0", NOW);
    expect(() => release(folder, "0.4.0")).toThrow("nothing to release");
  });

  it.each([
    ["0.1.0", "not later"],
    ["0.0.9", "not later"],
    ["v0.2.0", "is not a version"],
    ["0.2", "is not a version"],
    ["0.2.0-beta", "is not a version"],
  ])("is refused as %s: %s", (version, why) => expect(() => release(folder, version)).toThrow(why));
});

it.each([
  ["0.2.0", "0.1.9", true],
  ["0.10.0", "0.9.0", true],
  ["1.0.0", "0.99.99", true],
  ["0.9.0", "0.10.0", false],
  ["0.1.0", "0.1.0", false],
])("%s is later than %s: %s", (next, last, later) => expect(isLater(next, last)).toBe(later));

it("a change log without a section for what is unreleased is a mistake", () => {
  expect(() => releaseChangelog("# Changelog\n", "1.0.0", "2026-01-01")).toThrow("Unreleased");
  expect(() => withVersion(PACKAGE, "0.3.0", "0.4.0")).toThrow("no version 0.3.0 of town");
});
