import { OWN_LIMITS } from "../../core/costs/scale/part.ts";
import type { ScaleProject } from "../../core/costs/scale/project.ts";
import type { Scale, Wall } from "../../core/costs/scale/scale.ts";
import { table } from "../base/table.ts";

/** Limits of which less is used are not shown: 1 %. */
const SHOWN = 0.01;

/** What `npm run cost -- --scale` prints. */
export function scaleText(project: ScaleProject, { load, parts, walls, total }: Scale): string {
  const { users, activePerDay, movingAtOnce, secondsBetweenUpdates } = project;
  const size = [
    `${count(users)} users, ${count(activePerDay)} active a day, ${count(movingAtOnce)} in motion at once with an update each ${count(secondsBetweenUpdates)} s.`,
    `In the busiest second ${count(load.updates)} updates, ${count(load.events)} events, ${count(load.searches)} searches; ${count(load.updatesAMonth / 1e6)} million updates a month.`,
  ];
  const lines = parts.map(({ name, calls, objects, bytes, dollars }) => [
    ...[name, count(calls), objects > 0 ? count(objects) : "", bytes > 0 ? sized(bytes) : "", count(dollars)],
  ]);
  const shown = walls.filter(({ utilization }) => utilization >= SHOWN);
  return [
    ...[...size, ""],
    ...[table(lines, ["part", "calls/s", "objects", "bytes", "$ a month"]), ""],
    `${count(total)} dollars a month, with what the plan includes.`,
    ...["", "What breaks first:", ""],
    table(
      shown.map((wall, i) => wallLine(wall, i, users)),
      ["", "part", "what", "used", "limit", "%", "up to users"],
    ),
    ...["", sourcesOf(shown)],
  ].join("\n");
}

function wallLine({ part, what, used, limit, utilization, holds }: Wall, i: number, users: number): string[] {
  const reach = holds === Number.POSITIVE_INFINITY ? "any" : count(holds * users);
  return [String(i + 1), part, what, short(used), short(limit), count(utilization * 100), reach];
}

/** Two digits of what is a plan, not a measurement. */
const count = (value: number) =>
  Number(value.toPrecision(value < 1 ? 1 : 3)).toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });

const UNITS = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
] as const;

function short(value: number): string {
  const unit = UNITS.find(([size]) => value >= size);
  return unit ? `${Number((value / unit[0]).toPrecision(3))} ${unit[1]}` : count(value);
}

const sized = (bytes: number) => (bytes < 1e6 ? `${count(bytes / 1000)} kB` : `${short(bytes)}B`);

function sourcesOf(walls: readonly Wall[]): string {
  const pages = [...new Set(walls.map(({ source }) => source))].filter((source) => source !== OWN_LIMITS);
  return [
    "Limits of the platform:",
    ...pages.map((page) => `  https://developers.cloudflare.com/${page}`),
    `Limits of scheduled runs: ${OWN_LIMITS}`,
  ].join("\n");
}
