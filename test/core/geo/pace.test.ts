import { describe, expect, it } from "vitest";
import { type Account, InDebt, Pace, TooMuchWork } from "../../../src/core/geo/pace.ts";

/** An account that records what it is charged. */
function accountWith(hasDebt: boolean) {
  const charged: number[] = [];
  let opened = 0;
  const account: Account = {
    free: 100,
    open() {
      opened++;
      if (hasDebt) throw new InDebt(500, 1000);
    },
    charge: (units) => charged.push(units),
  };
  return { account, charged, opened: () => opened };
}

const atOnce = async () => {};

describe("the pace of a request", () => {
  it("charges all work once: at each turn, and at its end", async () => {
    const { account, charged } = accountWith(false);
    const pace = new Pace(atOnce, { slice: 50, account });
    for (let i = 0; i < 7; i++) await pace.spend(20);
    pace.settle();
    pace.settle();
    expect(charged).toEqual([60, 60, 20]);
  });

  it("rejects long work of a caller in debt once, and never short work", () => {
    const { account, opened } = accountWith(true);
    const pace = new Pace(atOnce, { account });
    void pace.spend(100);
    expect(opened()).toBe(0);
    expect(() => pace.spend(1)).toThrow(InDebt);
    const admitted = accountWith(false);
    const long = new Pace(atOnce, { account: admitted.account });
    for (let i = 0; i < 10; i++) void long.spend(90);
    expect(admitted.opened()).toBe(1);
  });

  it("finishes a change of data that has begun, in spite of debt", () => {
    const { account, opened } = accountWith(true);
    const pace = new Pace(atOnce, { account });
    pace.mustFinish();
    void pace.spend(1000);
    expect([opened(), pace.isFinishing]).toEqual([0, true]);
  });

  it("takes another budget, before and after its account was opened", () => {
    const pace = new Pace(atOnce, { budget: 10, account: accountWith(false).account }).within(300);
    void pace.spend(300);
    expect(() => pace.spend(1)).toThrow(TooMuchWork);
  });

  it("takes one turn for all concurrent parts of its work", async () => {
    let turns = 0;
    const meter = { units: 0 };
    const giveWay = async () => {
      turns++;
      await Promise.resolve();
      meter.units = 0;
    };
    const pace = new Pace(giveWay, { slice: 10, meter });
    await Promise.all(Array.from({ length: 8 }, async () => pace.spend(10)));
    expect(turns).toBe(1);
    await pace.spend(10);
    expect(turns).toBe(2);
  });

  it("counts on a meter with others: one that has done little yields after much work of another", () => {
    const meter = { units: 0 };
    const first = new Pace(atOnce, { slice: 100, meter });
    const second = new Pace(atOnce, { slice: 100, meter });
    expect(first.spend(99)).toBeUndefined();
    expect(second.spend(1)).toBeInstanceOf(Promise);
  });
});
