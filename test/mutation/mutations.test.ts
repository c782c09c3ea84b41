import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/imports.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { changeOf, type Mutation, mutationsOf } from "./mutations.ts";
import { functionAt, functionsOf, markedText } from "./reach.ts";
import { isEquivalent, resultOf } from "./report.ts";
import { selectMutations } from "./select.ts";
import { switchedText } from "./switched.ts";

const changesOf = (text: string) => mutationsOf("a.ts", text).map(changeOf);

describe("a rule is changed", () => {
  it.each([
    ["x(a < b);", "`a < b` → `a <= b`"],
    ["x(a < b);", "`a < b` → `a >= b`"],
    ["x(a === b);", "`a === b` → `a !== b`"],
    ["x(a ?? b);", "`a ?? b` → `a`"],
    ["x(a || b);", "`a || b` → `a`"],
    ["x(a && b);", "`a && b` → `(a) || (b)`"],
    ["x(a + b);", "`a + b` → `a - b`"],
    ["x(a * b);", "`a * b` → `a / b`"],
    ["if (a) x();", "`a` → `true`"],
    ["while (a) x();", "`a` → `false`"],
    ["x(a ? b : c);", "`a` → `false`"],
    ["x(!a);", "`!a` → `a`"],
    ["x(3);", "`3` → `4`"],
    ["x(3);", "`3` → `6`"],
    ['x("a");', '`"a"` → `""`'],
    ['x("");', '`""` → `"mutated"`'],
    ["x(true);", "`true` → `false`"],
    ["x([a]);", "`[a]` → `[]`"],
    ["x({ a });", "`{ a }` → `{}`"],
    ["a++;", "`a++` → `a--`"],
    ["a += b;", "`a += b` → `a -= b`"],
    ["const f = () => { return a; };", "`a` → `undefined`"],
    ["const f = () => a;", "`a` → `undefined`"],
    ["x();", "remove `x();`"],
    ["throw a;", "remove `throw a;`"],
    ["x(Math.min(a, b));", "`Math.min(a, b)` → `Math.max(a, b)`"],
    ["x(a.some(f));", "`a.some(f)` → `a.every(f)`"],
    ["x(a.filter(f));", "`a.filter(f)` → `a`"],
    ["x(a?.b?.(c?.d)[e]);", "`a?.b?.(c?.d)[e]` → `a.b(c?.d)[e]`"],
  ])("%s: %s", (text, change) => {
    expect(changesOf(text)).toContain(change);
  });

  it.each([
    "type A = 1 | 'b';",
    'import a from "b";',
    "interface A { a: true }",
    "const f = (a: 1) => {};",
    "const enabled = a as { b: 1 };",
  ])("but not where it is a type or an import: %s", (text) => {
    expect(changesOf(text)).toEqual([]);
  });

  it("but not the words of a message or a log", () => {
    expect(changesOf('throw new ApiError(a, "Invalid.");')).toEqual(['remove `throw new ApiError(a, "Invalid.");`']);
    expect(changesOf('console.log("a", 1);')).toEqual([]);
  });
});

describe("switched sources", () => {
  const outcome = (text: string, active: number) => {
    const mutants = mutationsOf("a.ts", text).map((mutation, index) => ({ ...mutation, id: index + 1 }));
    const run = new Function("$mutant", "a", "b", `${switchedText(text, mutants)}; return result;`);
    return run((id: number) => id === active, 1, 2) as unknown;
  };
  const TEXT = "let result; if (a < b) result = a + b * 2; else result = 0;";

  it("do what the source does while no mutant is on", () => {
    expect(outcome(TEXT, 0)).toBe(5);
  });

  it("do what the changed source does with each mutant, also one inside another", () => {
    for (const [index, { start, end, mutated }] of mutationsOf("a.ts", TEXT).entries()) {
      const changed = `${TEXT.slice(0, start)}${mutated || ";"}${TEXT.slice(end)}; return result;`;
      expect(outcome(TEXT, index + 1)).toBe(new Function("a", "b", changed)(1, 2));
    }
  });
});

describe("marked sources", () => {
  it("mark each function that is called, and the file when it was loaded", () => {
    const text = "const f = (x) => { return g(() => x); }; const g = (y) => y; const h = () => 1; f(2);";
    const marks = [0, 0, 0, 0, 0, 0];
    new Function("$reached", markedText("a.ts", text, 1))(marks);
    expect(marks).toEqual([0, 1, 1, 0, 1, 0]);
    const functions = functionsOf("a.ts", text);
    expect(
      [text.indexOf("return"), text.indexOf("=> x") + 3, text.indexOf("f(2)")].map((at) => functionAt(functions, at)),
    ).toEqual([1, 2, 0]);
  });
});

describe("mutations are drawn", () => {
  const file = (name: string, lines: number) =>
    mutationsOf(name, Array.from({ length: lines }, (_, line) => `x(a < ${line});`).join("\n"));

  it("in proportion to the lines of each file, the same for the same seed", () => {
    const files = [file("a.ts", 30), file("b.ts", 10)];
    const drawn = selectMutations(files, 8, 1);
    expect(drawn.map((mutation) => mutation.file)).toEqual([...Array(6).fill("a.ts"), "b.ts", "b.ts"]);
    expect(new Set(drawn.map((mutation) => `${mutation.file}:${mutation.line}`)).size).toBe(8);
    expect(selectMutations(files, 8, 1)).toEqual(drawn);
    expect(selectMutations(files, 8, 2)).not.toEqual(drawn);
  });

  it("all of them without a limit", () => {
    const all = file("a.ts", 5);
    expect(selectMutations([all], Number.POSITIVE_INFINITY, 1)).toEqual(all);
  });
});

describe("the report", () => {
  const [mutation] = mutationsOf("a.ts", "x(a < b);") as [Mutation];

  it("leaves out a change that is listed as equivalent, wherever its line moves", () => {
    const listed = { file: "a.ts", source: "x(a < b);", change: changeOf(mutation), reason: "" };
    const [moved] = mutationsOf("a.ts", "\n\n  x(a < b);");
    expect(isEquivalent(moved, [listed])).toBe(true);
    expect(isEquivalent(moved, [{ ...listed, change: "`a < b` → `a > b`" }])).toBe(false);
    expect(isEquivalent(moved, [{ ...listed, source: "y(a < b);" }])).toBe(false);
  });

  it("counts a loop that was ended as detected", () => {
    const verdict = { key: "", tests: ["t"], left: 0, seconds: 0 };
    const statuses = ["detected", "timeout", "survived", "survived"] as const;
    const result = resultOf(
      "room",
      statuses.map(() => mutation),
      statuses.map((status) => ({ ...verdict, status })),
      3,
    );
    expect(result).toMatchObject({ detected: 2, survived: 2, equivalent: 3, score: 0.5 });
    expect(result.survivors[0].at).toBe("a.ts:1");
  });
});

describe("an equivalent change", () => {
  it.each(EQUIVALENTS.map((one) => [`${one.file}: ${one.change}`, one] as const))(
    "is one of its source: %s",
    (_, listed) => {
      const mutations = mutationsOf(listed.file, readFileSync(join(ROOT, listed.file), "utf8"));
      expect(mutations.filter((mutation) => isEquivalent(mutation, [listed]))).not.toEqual([]);
    },
  );
});
