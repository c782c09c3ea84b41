import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGAIN, CHROMIUM } from "../browser/chromium.ts";
import { Person } from "../browser/person.ts";
import { makeWorld } from "../support/world.ts";

let person: Person;

beforeAll(async () => {
  if (!CHROMIUM) return;
  person = await Person.of(await makeWorld(), "owner");
});

afterAll(() => person?.driver.close());

describe.skipIf(!CHROMIUM)("a long table", { timeout: 90_000, ...AGAIN }, () => {
  it("has rows of two lines on a phone: of those on the screen alone, at their place, and with no text cut", async () => {
    const { driver } = person;
    await driver.look(390, "light");
    await person.open("/settings?section=limits", "autocompleteClick");
    await driver.waitFor("document.querySelector('.report .lines')");
    const list = () =>
      driver.eval<{ rows: number; gaps: number; whole: number; end: boolean }>(`(() => {
        const box = document.querySelector(".report .table");
        const rows = [...box.querySelectorAll(".line")];
        const last = rows.at(-1).getBoundingClientRect().bottom;
        return { rows: rows.length, gaps: box.querySelectorAll("li.gap").length, whole: box.scrollHeight,
          end: Math.abs(last - box.getBoundingClientRect().bottom) < 3 }; })()`);
    const before = await list();
    expect([before.gaps, before.end, before.rows < 40]).toEqual([1, false, true]);
    expect(await driver.cutText()).toEqual([]);
    // Rows that come on the screen are measured, so that the end moves.
    await driver.waitFor(`(() => {
      const box = document.querySelector(".report .table");
      box.scrollTo(0, 1e6);
      const last = box.querySelector(".lines").lastElementChild;
      return last.classList.contains("line") && Math.abs(last.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom) < 3; })()`);
    expect((await list()).gaps).toBe(1);
    driver.errors();
  });
});
