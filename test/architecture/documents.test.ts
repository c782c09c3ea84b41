import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/imports.ts";

/** All pages of decisions together [bytes]. What no longer holds goes, so that the pages can be read. */
const MAX_DECISION_BYTES = 120_000;
/** Lines of one decision, and characters of a line. */
const [MAX_LINES, MAX_CHARACTERS] = [6, 140];

/** What a release may bring before it is cut. */
const [MAX_UNRELEASED_LINES, MAX_CLAUSE] = [60, 160];
/** Entries of an area ("Routing: …") that stand apart from the area's others, in a section. */
const MAX_SPREAD = 10;

const FOLDER = join(ROOT, "docs/decisions");
const pages = readdirSync(FOLDER).map((name): [string, string] => [name, readFileSync(join(FOLDER, name), "utf8")]);

/** The entries of a page that are too long: the text below a heading, or an item of a list. */
function longEntries(text: string): string[] {
  return text
    .split(/^(?=#|- )/m)
    .map((entry) => entry.split("\n").filter((line) => line.trim() !== ""))
    .filter((lines) => lines.length > MAX_LINES + (lines[0]?.startsWith("#") ? 1 : 0))
    .map(([first]) => first);
}

describe("docs/decisions", () => {
  it(`has at most ${MAX_DECISION_BYTES / 1000} KB in all`, () => {
    const bytes = pages.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThanOrEqual(MAX_DECISION_BYTES);
  });

  it("has entries of at most six lines", () => {
    expect(pages.flatMap(([name, text]) => longEntries(text).map((entry) => `${name}: ${entry}`))).toEqual([]);
    const six = "one\n".repeat(6);
    expect(longEntries(`## Short\n\n${six}\n## Long\n\n${six}seventh\n`)).toEqual(["## Long"]);
    expect(longEntries(`- item\n${"  more\n".repeat(6)}`)).toEqual(["- item"]);
  });

  it(`has lines of at most ${MAX_CHARACTERS} characters`, () => {
    const long = pages.flatMap(([name, text]) =>
      text
        .split("\n")
        .filter((line) => line.length > MAX_CHARACTERS)
        .map((line) => `${name}: ${line}`),
    );
    expect(long).toEqual([]);
  });
});

/** The entries of a part of the change log whose area was named before, but not by the entry above. */
function spreadEntries(part: string): string[] {
  const areaOf = (line: string | undefined) => /^- ([A-Z][\w ]*)(?: \(.*?\))?:/.exec(line ?? "")?.[1];
  const lines = part.split("\n");
  return lines.filter((line, i) => {
    const area = areaOf(line);
    return area && area !== areaOf(lines[i - 1]) && lines.slice(0, i).some((other) => areaOf(other) === area);
  });
}

describe("CHANGELOG.md", () => {
  const [, ...sections] = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").split(/^## /m);
  const linesOf = (section: string) =>
    section
      .split("\n")
      .slice(1)
      .filter((line) => line !== "");

  it(`has at most ${MAX_UNRELEASED_LINES} lines under Unreleased: more is a release`, () => {
    expect(sections[0].startsWith("Unreleased\n")).toBe(true);
    expect(linesOf(sections[0]).length).toBeLessThanOrEqual(MAX_UNRELEASED_LINES);
  });

  it(`has entries of one line and at most ${MAX_CLAUSE} characters`, () => {
    const isGood = (line: string) =>
      line.startsWith("### ") || (line.startsWith("- ") && line.length - 2 <= MAX_CLAUSE);
    expect(sections.length).toBeGreaterThan(3);
    expect(sections.flatMap(linesOf).filter((line) => !isGood(line))).toEqual([]);
  });

  it(`lists the entries of an area next to each other, but for ${MAX_SPREAD} in a section`, () => {
    const spread = sections.map((section) => section.split(/^### /m).flatMap(spreadEntries));
    expect(spread.filter((entries) => entries.length > MAX_SPREAD)).toEqual([]);
    expect(spreadEntries("- Maps: a.\n- Maps: b.\n- Routes (x): c.\n- Maps: d.\n- Docs: e.")).toEqual(["- Maps: d."]);
  });
});
