// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
import { beforeAll, describe, expect, it } from "vitest";
import { choice, openPeerWorld, type PeerWorld, QUESTIONS, randomPoint, seeded } from "./peer-world.ts";

let peer: PeerWorld;
beforeAll(async () => {
  peer = await openPeerWorld();
});

const send = (path: string, body: unknown) =>
  peer.ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const total = (steps: any[], key: string) => steps.reduce((sum, step) => sum + step[key], 0);

/** Checks each sum, window and load of a plan against the problem. */
function checkPlan(problem: any, plan: any): void {
  const { routes, summary, unassigned } = plan;
  expect(plan.code).toBe(0);
  const tasks = new Map<string, any>([
    ...(problem.jobs ?? []).map((job: any) => [`job ${job.id}`, job] as const),
    ...(problem.shipments ?? []).flatMap(({ pickup, delivery, ...rest }: any) => [
      [`pickup ${pickup.id}`, { ...pickup, ...rest }] as const,
      [`delivery ${delivery.id}`, { ...delivery, ...rest }] as const,
    ]),
  ]);
  const done = routes.flatMap(({ steps }: any) =>
    steps.filter(({ type }: any) => ["job", "pickup", "delivery"].includes(type)),
  );
  const names = [...done, ...unassigned].map(({ type, id }: any) => `${type} ${id}`);
  expect([...names].sort()).toEqual([...tasks.keys()].sort());
  for (const key of ["cost", "setup", "service", "duration", "waiting_time", "priority", "distance"])
    expect(summary[key]).toBe(total(routes, key));
  expect([summary.routes, summary.unassigned]).toEqual([routes.length, unassigned.length]);
  for (const route of routes) {
    const vehicle = problem.vehicles.find(({ id }: any) => id === route.vehicle);
    const { steps } = route;
    for (const key of ["setup", "service", "waiting_time"]) expect(route[key]).toBe(total(steps, key));
    expect(route.duration).toBe(steps.at(-1).duration);
    let load: number[] = steps[0].load;
    steps.forEach((step: any, i: number) => {
      const before = steps[i - 1];
      if (before) {
        const left = before.arrival + before.setup + before.service + before.waiting_time;
        // Times are rounded to seconds.
        expect(Math.abs(step.arrival - left - (step.duration - before.duration))).toBeLessThanOrEqual(2);
      }
      const task = tasks.get(`${step.type} ${step.id}`);
      if (task) {
        const begin = step.arrival + step.waiting_time;
        if (task.time_windows)
          expect(task.time_windows.some(([from, to]: number[]) => from - 1 <= begin && begin <= to + 1)).toBe(true);
        for (const skill of task.skills ?? []) expect(vehicle.skills).toContain(skill);
        const [delivery, pickup] = [task.delivery ?? [], task.pickup ?? []];
        load = load.map((amount, d) =>
          step.type === "job"
            ? amount - (delivery[d] ?? 0) + (pickup[d] ?? 0)
            : amount + (step.type === "pickup" ? 1 : -1) * task.amount[d],
        );
        expect(step.load).toEqual(load);
      }
      for (const [d, amount] of step.load.entries()) {
        expect(amount).toBeGreaterThanOrEqual(0);
        if (vehicle.capacity) expect(amount).toBeLessThanOrEqual(vehicle.capacity[d]);
      }
      if (step.type === "delivery") {
        const at = tasks.get(`delivery ${step.id}`);
        const pickup = problem.shipments.find((one: any) => one.delivery.id === at.id).pickup.id;
        expect(steps.findIndex(({ type, id }: any) => type === "pickup" && id === pickup)).toBeLessThan(i);
      }
    });
    const [from, to] = vehicle.time_window ?? [0, Number.POSITIVE_INFINITY];
    expect(steps[0].arrival).toBeGreaterThanOrEqual(from);
    expect(steps.at(-1).arrival).toBeLessThanOrEqual(to + 1);
    if (vehicle.max_tasks !== undefined)
      expect(steps.filter(({ id, type }: any) => id !== undefined && type !== "break").length).toBeLessThanOrEqual(
        vehicle.max_tasks,
      );
  }
}

/** A problem in the demo towns, with everything that the solver knows. */
function randomProblem(random: () => number) {
  const span = () => {
    const from = Math.floor(random() * 10_000);
    return [from, from + 1800 + Math.floor(random() * 8000)];
  };
  const some = <T>(share: number, value: () => T) => (random() < share ? value() : undefined);
  return {
    vehicles: [1, 2, 3].map((id) => ({
      id,
      profile: choice(random, ["car", "car", "bike"]),
      start: randomPoint(random),
      end: some(0.7, () => randomPoint(random)),
      capacity: [4 + Math.floor(random() * 4)],
      skills: [choice(random, [1, 2]), 3],
      time_window: some(0.5, () => [0, 20_000]),
      max_tasks: some(0.3, () => 3),
      speed_factor: some(0.3, () => 1.5),
      breaks: some(0.4, () => [{ id: 1, service: 600, time_windows: [[3000, 9000]] }]),
    })),
    jobs: Array.from({ length: 6 }, (_, i) => ({
      id: i + 1,
      location: randomPoint(random),
      service: Math.floor(random() * 600),
      setup: some(0.3, () => 60),
      delivery: some(0.5, () => [1]),
      pickup: some(0.3, () => [1]),
      skills: some(0.3, () => [choice(random, [1, 2])]),
      priority: some(0.2, () => 10),
      time_windows: some(0.4, () => [span()]),
    })),
    shipments: Array.from({ length: 2 }, (_, i) => ({
      amount: [1],
      pickup: { id: i + 1, location: randomPoint(random), service: 60 },
      delivery: { id: i + 1, location: randomPoint(random), time_windows: some(0.5, () => [span()]) },
    })),
    options: { x: choice(random, [0, 0, 0, 0, 1]), g: random() < 0.5 },
  };
}

describe("VROOM", () => {
  it("has the plan of our own endpoint, in which all sums, windows and loads are right", async () => {
    const random = seeded(5);
    for (let i = 0; i < QUESTIONS; i++) {
      const problem = randomProblem(random);
      const { status, body } = await send("/vroom", problem);
      expect([status, body.error]).toEqual([200, undefined]);
      checkPlan(problem, body);
      const { meta: _, summary, ...own } = (await send("/v1/route/optimize", problem)).body;
      const { computing_times, ...theirs } = body.summary;
      expect([body.routes, body.unassigned, theirs]).toEqual([own.routes, own.unassigned, summary]);
      expect(Object.keys(computing_times)).toEqual(["loading", "solving", "routing"]);
    }
  });

  // The numbers of VROOM's second example (docs/example_2.json, BSD-2-Clause), whose solution has the same cost.
  it("plans with matrices of the caller, on any clock, also by their former name", async () => {
    const matrix = [
      [0, 2104, 197, 1299],
      [2103, 0, 2255, 3152],
      [197, 2256, 0, 1102],
      [1299, 3153, 1102, 0],
    ];
    const problem = {
      vehicles: [{ id: 0, start_index: 0, end_index: 3 }],
      jobs: [
        { id: 1414, location_index: 1 },
        { id: 1515, location_index: 2 },
      ],
      matrices: { car: { durations: matrix } },
    };
    const { body } = await send("/vroom", problem);
    checkPlan(problem, body);
    // By hand: 0, 1, 2, 3 takes 2104 + 2255 + 1102, the other order 197 + 2256 + 3152.
    expect([body.summary.cost, body.routes[0].steps.map(({ id }: any) => id)]).toEqual([
      5461,
      [undefined, 1414, 1515, undefined],
    ]);
    const { matrices: _, ...former } = problem;
    expect((await send("/vroom", { ...former, matrix })).body.routes).toEqual(body.routes);
  });

  it.each([
    [{ vehicles: [{ id: 1, start: [-111.2, 48.99], steps: [{ type: "start" }] }] }, "vehicles[0][steps]"],
    [{ vehicles: [{ id: 1, start: [-111.2, 48.99], type: "van" }] }, "vehicles[0][type]"],
    [
      { vehicles: [{ id: 1, start: [-111.2, 48.99], costs: { per_task_hour: 1 } }] },
      "vehicles[0][costs][per_task_hour]",
    ],
    [
      {
        vehicles: [{ id: 1, start: [-111.2, 48.99] }],
        jobs: [{ id: 1, location: [0, 0], service_per_type: { van: 1 } }],
      },
      "jobs[0][service_per_type]",
    ],
    [{ vehicles: [{ id: 1, start: [-111.2, 48.99] }], options: { c: true } }, "options[c]"],
    [{}, "vehicles"],
    [{ vehicles: [] }, "vehicles"],
    [
      {
        vehicles: [
          { id: 1, start: [-111.2, 48.99] },
          { id: 1, start: [-111.2, 48.99] },
        ],
      },
      "duplicated",
    ],
  ])("rejects %j by name", async (problem, name) => {
    const { status, body } = await send("/vroom", problem);
    expect([status, body.code]).toEqual([400, 2]);
    expect(body.error).toContain(name);
  });

  it("has code 2 for a broken body, and 3 without roads", async () => {
    const broken = await peer.ask("/vroom", { method: "POST", body: "{" });
    expect([broken.status, broken.body.code]).toEqual([400, 2]);
    const far = await send("/vroom", { vehicles: [{ id: 1, start: [0, 0] }], jobs: [{ id: 1, location: [0, 1] }] });
    expect([far.body.code, far.body.error]).toEqual([3, expect.stringContaining("road")]);
  });
});
