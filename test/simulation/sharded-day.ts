import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type DayReport, type DeviceReport, sumOf } from "./day.ts";
import type { FromShard, ToShard } from "./shard.ts";
import type { DrawnFence } from "./town.ts";

/**
 * As simulateDay, over several processes; the day is the same for any number of them.
 * @param goesOn called behind each device; false ends the day there
 * @throws when a process ends before its devices' day does
 */
export async function simulateInShards(
  devices: number,
  seed: number,
  shards: number,
  goesOn: (soFar: DeviceReport[]) => boolean = () => true,
): Promise<DayReport> {
  const drawn = new Map<number, DrawnFence[]>();
  const reports: DeviceReport[] = [];
  const children: ChildProcess[] = [];
  let waiting = shards;
  let stopped = false;
  const stop = () => {
    stopped = true;
    for (const child of children) child.kill();
  };
  const hear = (message: FromShard) => {
    if ("report" in message) {
      reports.push(message.report);
      if (!goesOn(reports)) stop();
      return;
    }
    for (const [device, fences] of message.fences) drawn.set(device, fences);
    if (--waiting > 0) return;
    const fences = [...drawn].sort(([a], [b]) => a - b).flatMap(([, own]) => own);
    for (const child of children) child.send({ fences } satisfies ToShard);
  };
  const ends = Array.from({ length: shards }, (_, shard) => {
    const words = [shard, shards, devices, seed].map(String);
    const child = fork(join(import.meta.dirname, "shard.ts"), words, { serialization: "advanced" });
    children.push(child);
    child.on("message", (message) => hear(message as FromShard));
    return new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        if (code === 0 || stopped) resolve();
        else reject(new Error(`shard ${shard} left with ${code}`));
      });
    });
  });
  try {
    await Promise.all(ends);
  } finally {
    stop();
  }
  return sumOf(reports);
}
