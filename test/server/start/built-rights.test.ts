import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { letOthersRead } from "../../../src/server/make/let-others-read.ts";
import { refuseInState, wantedBackups } from "../../../src/server/start/backup-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "graticule-rights-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("what is built", () => {
  it("can be read by every user after --build, although it was built under a private umask", () => {
    const dist = join(folder, "dist");
    mkdirSync(join(dist, "server"), { recursive: true });
    const secret = join(folder, "keys.json");
    const files = ["server/index.js", "dashboard.source", "run.sh"].map((name) => join(dist, name));
    for (const path of [...files, secret]) writeFileSync(path, "x", { mode: 0o600 });
    chmodSync(files[2], 0o700);
    symlinkSync(secret, join(dist, "link"));
    for (const path of [join(dist, "server"), dist]) chmodSync(path, 0o700);
    letOthersRead(dist);
    expect([dist, join(dist, "server"), ...files].map(modeOf)).toEqual(["755", "755", "644", "644", "744"]);
    expect(modeOf(secret)).toBe("600");
    letOthersRead(join(folder, "nothing"));
  });
});

describe("a place of backups", () => {
  const state = join(folder, "state");
  beforeEach(() => mkdirSync(join(state, "v3"), { recursive: true }));
  const refused = (place: string) => () => refuseInState("--backup-to", place, state);

  it.each(["", "backups", "v3/new/deeper", "../state/v3", "..backups"])(
    "is refused in the state folder: %s",
    (name) => {
      expect(refused(join(state, name))).toThrow(/is in the state folder/);
    },
  );

  it("is refused in the state folder, also by a link from or to it", () => {
    symlinkSync(join(state, "v3"), join(folder, "elsewhere"));
    symlinkSync(state, join(folder, "linked"));
    expect(refused(join(folder, "elsewhere/backups"))).toThrow(/is in the state folder/);
    expect(() => refuseInState("--follow", join(state, "x"), join(folder, "linked"))).toThrow(/^--follow .* is in the/);
  });

  it.each(["../backups", "../state-backups", "../stat", ".."])("may be next to it: %s", (name) => {
    expect(refused(join(state, name))).not.toThrow();
  });

  it("may be a bucket", () => {
    expect(refused("s3://bucket/state")).not.toThrow();
  });

  it("is required for an interval, which alone would back up nothing", () => {
    expect(() => wantedBackups(undefined, "5s", state)).toThrow(/^--every requires --backup-to PLACE/);
    expect(() => wantedBackups(join(state, "backups"), "5s", state)).toThrow(/is in the state folder/);
    expect(wantedBackups(undefined, undefined, state)).toBeUndefined();
    expect(wantedBackups(join(folder, "backups"), undefined, state)).toEqual({
      to: join(folder, "backups"),
      every: "60s",
    });
  });
});
