import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/** Rooms of the Worker; these run elsewhere. */
const ELSEWHERE = /^src\/(server|importer|dashboard|demo)\//;

/** Lines of the Worker's code that match, but for those of some files. */
function linesWith(pattern: RegExp, except: readonly string[]): string[] {
  return sourcesBelow(join(ROOT, "src"))
    .map((path) => relative(ROOT, path))
    .filter((path) => !ELSEWHERE.test(path) && !except.includes(path))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), "utf8")
        .split("\n")
        .filter((line) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
}

describe("the Worker", () => {
  it("goes out into the network by one module alone", () => {
    const calls = linesWith(/(?<![.\w#"`$])fetch\((?!request: Request)/, ["src/worker/outgoing/outgoing.ts"]);
    // methods of that name, and the text of an example
    expect(calls.filter((line) => !/fetch\((url|other)[:,)]|fetch\(\$\{|=> this/.test(line))).toEqual([]);
  });

  it("decides in one module where a request comes from, and under which origin it is known", () => {
    const pattern =
      /cf-connecting-ip|x-forwarded|x-graticule-front|clientIp\b.*cf|new URL\([\w.]*request\.url\)\.origin|\{ origin[^}]*\} = new URL\(|startsWith\("https:"\)/;
    const found = linesWith(pattern, ["src/worker/http/serve/connection.ts", "src/worker/platform/front.ts"]);
    expect(found.filter((line) => !/PUBLIC_URL|limits\/outgoing-url/.test(line))).toEqual([]);
  });
});
