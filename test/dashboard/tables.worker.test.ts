import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGAIN, CHROMIUM } from "../browser/chromium.ts";
import { Person } from "../browser/person.ts";
import { makeWorld } from "../support/world.ts";

let person: Person;

beforeAll(async () => {
  if (!CHROMIUM) return;
  person = await Person.of(await makeWorld(), "owner");
}, 60_000);

afterAll(() => person?.driver.close());

describe.skipIf(!CHROMIUM)("a long table", { timeout: 60_000, ...AGAIN }, () => {
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
    await driver.eval(`document.querySelector(".report .table").scrollTo(0, 1e6)`);
    await driver.waitFor(
      `document.querySelector(".report .lines").lastElementChild.classList.contains("line") && document.querySelectorAll(".report li.gap").length === 1`,
    );
    await driver.waitFor(
      `Math.abs([...document.querySelectorAll(".report .line")].at(-1).getBoundingClientRect().bottom - document.querySelector(".report .table").getBoundingClientRect().bottom) < 40`,
    );
    driver.errors();
  });
});
