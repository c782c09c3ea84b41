import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { randomTown, seeded } from "../graph/random-town.ts";

const TIMES = ["Mo-Fr 07:00-09:00", "22:00-06:00", "Mo-Fr 06:00-10:00,16:00-19:00", "Sa,Su", "Mo-Sa 11:00-14:00"];

/** A town in which every sixth road, and every other restriction, has conditions. */
export function hourlyTown(size: number, seed: number, times = TIMES): OsmElement[] {
  const random = seeded(seed + 1);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const tags: ((time: string) => Tags)[] = [
    (time) => ({ "motor_vehicle:conditional": `no @ (${time})` }),
    (time) => ({ "access:conditional": `no @ (${time}); yes @ (Su)` }),
    (time) => ({ access: "no", "access:conditional": `yes @ (${time})` }),
    (time) => ({ "motor_vehicle:conditional": `destination @ (${time})` }),
    (time) => ({ "oneway:conditional": `yes @ (${time})` }),
    (time) => ({ oneway: "yes", "oneway:conditional": `-1 @ (${time})` }),
    (time) => ({ maxspeed: "70", "maxspeed:conditional": `20 @ (${time})` }),
    (time) => ({ "motor_vehicle:conditional": `no @ (${time} AND weight>5)` }),
    (time) => ({
      "maxspeed:conditional": `10 @ (${time} AND weight>3)`,
      "hgv:conditional": `destination @ (${time} AND weight>20)`,
    }),
    (time) => ({ "hgv:conditional": `no @ (${time})`, "bicycle:conditional": `no @ (${time})` }),
  ];
  const barriers: ((time: string) => Tags)[] = [
    (time) => ({ barrier: "gate", access: "yes", "access:conditional": `no @ (${time})` }),
    (time) => ({ barrier: "bollard", "motor_vehicle:conditional": `yes @ (${time})` }),
    (time) => ({ barrier: "lift_gate", "vehicle:conditional": `no @ (${time} AND weight>7.5)` }),
  ];
  return randomTown(size, seed).map((element): OsmElement => {
    if (element.type === "node" && random() < 1 / 30) return { ...element, tags: pick(barriers)(pick(times)) };
    if (element.type === "way" && element.tags.highway && random() < 1 / 6)
      return { ...element, tags: { ...element.tags, ...pick(tags)(pick(times)) } };
    if (element.type !== "relation" || random() < 0.5) return element;
    const { restriction, ...rest } = element.tags;
    return { ...element, tags: { ...rest, "restriction:conditional": `${restriction} @ (${pick(times)})` } };
  });
}
