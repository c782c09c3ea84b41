import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { systemReason } from "../../src/importer/common/system-reason.ts";
import { ROOT } from "../support/imports.ts";

/**
 * Words of libraries and of the system are for programmers: no file of the importer passes the message of an error on, but for those
 * whose errors are sentences of ours.
 */
const OURS: Record<string, string> = {
  "publish/live-list.ts": "NotPossible, and the list's own reader",
  "publish/s3-client.ts": "StorageError, and readXml",
  "osm/read/jobs.ts": "checkId",
  "osm/read/survey.ts": "checkId",
  "osm/pbf/blob-file.ts": "Malformed",
  "update/replication.ts": "asks which ImportError it is",
  "threads/thread.ts": "asks whether memory is full",
};

const importer = join(ROOT, "src/importer");
const files = readdirSync(importer, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

describe("the words of an import", () => {
  it("are never those of a library: no message of a foreign error is passed on", () => {
    const passing = files.filter((name) => {
      const code = readFileSync(join(importer, name), "utf8").replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
      return /\berror(?: as \w+)?\)?\.message|\{[^}]*\bmessage\b[^}]*\} = error|caught\.message/i.test(code);
    });
    expect(passing.sort()).toEqual(Object.keys(OURS).sort());
  });

  it("are ours for everything that the system answers", () => {
    for (const code of ["ENOENT", "EISDIR", "EACCES", "ELOOP", "EIO", "Z_DATA_ERROR", "EWHATEVER", undefined]) {
      const error = Object.assign(new Error("incorrect header check, open '/x'"), { code });
      expect(systemReason(error)).toMatch(/^[a-z][\w ]+$/);
      expect(systemReason(error)).not.toMatch(/header|open '/);
    }
  });
});

it("the list of files is of this folder", () => {
  expect(files).toContain(relative(importer, join(importer, "osm/pbf/blob-file.ts")));
});
