import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LARGE_PROJECT, readScale } from "../../src/core/costs/scale/project.ts";
import { scaleOf } from "../../src/core/costs/scale/scale.ts";
import { scaleText } from "../../src/server/cost/scale-text.ts";
import { ROOT } from "../support/imports.ts";

const textOf = (file: string) => scaleText(readScale(file), scaleOf(readScale(file)));
const DOC = readFileSync(join(ROOT, "docs/scale.md"), "utf8");

describe("npm run cost -- --scale", () => {
  it("prints what docs/scale.md shows", () => {
    expect(DOC).toContain(`\`\`\`text\n${textOf("{}")}\n\`\`\``);
  });

  it("prints each part once, and each limit of which at least 1 % is used", () => {
    const { parts, walls } = scaleOf(LARGE_PROJECT);
    const lines = textOf("{}").split("\n");
    for (const { name } of parts) expect(lines.filter((line) => line.startsWith(`${name}  `))).toHaveLength(1);
    const shown = lines.filter((line) => /^\d+ +\S/.test(line));
    expect(shown).toHaveLength(walls.filter(({ utilization }) => utilization >= 0.01).length);
  });

  it("prints a figure everywhere, at all sizes", () => {
    for (const users of [1, 37, 1e4, 1e6, 1e9])
      expect(textOf(`{"users": ${users}}`)).not.toMatch(/NaN|Infinity|undefined/);
    expect(textOf('{"movingAtOnce": 0, "hoursMovingPerDay": 0, "activePerDay": 0}')).not.toMatch(/NaN|Infinity/);
  });
});

/** Figures of the text of docs/scale.md, each with what it is computed from. */
describe("the text of docs/scale.md", () => {
  const users = (file: object, part: string, words: string) => {
    const project = readScale(JSON.stringify(file));
    const found = scaleOf(project).walls.find((wall) => wall.part === part && wall.what.includes(words));
    return (found?.holds ?? 0) * project.users;
  };

  it("says what 16 writers, one hot day and notifications of the phone change", () => {
    expect(users({ writers: 16 }, "database writers", "calls") / 1e6).toBeCloseTo(2.42, 1);
    expect(users({ phoneCampaigns: 1 }, "campaign index", "calls")).toBeCloseTo(199_000, -4);
    const bytes = scaleOf(readScale('{"hotDays": 1}')).parts.find(({ name }) => name === "D1, the project's")?.bytes;
    expect((bytes ?? 0) / 1e9).toBeCloseTo(60, 0);
  });
});
