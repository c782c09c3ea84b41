import { seededRandom } from "../bench/support/random.ts";
import { type DeviceReport, drawDays, simulateDevices } from "./day.ts";
import { addFence, buildTown, type DrawnFence } from "./town.ts";

/** What a shard tells its parent: the geofences its devices draw, then what came of each of them. */
export type FromShard = { fences: [device: number, fences: DrawnFence[]][] } | { report: DeviceReport };
/** What it is told: the geofences of all devices, in their order. */
export type ToShard = { fences: DrawnFence[] };

/**
 * A part of a simulated day in a process of its own: `shard.ts SHARD SHARDS DEVICES SEED`. Its devices are every SHARDS-th. All shards build the same
 * town; what they draw they exchange, as every device meets the geofences of all.
 */
const [shard, shards, devices, seed] = process.argv.slice(2).map(Number);
const own = Array.from({ length: devices }, (_, device) => device).filter((device) => device % shards === shard);
const tell = (message: FromShard) => process.send?.(message);
const town = await buildTown(seededRandom(seed));
const days = await drawDays(town, seed, own);
const told = new Promise<ToShard>((resolve) => process.once("message", (message) => resolve(message as ToShard)));
tell({ fences: [...days].map(([device, { fences }]) => [device, fences]) });
for (const fence of (await told).fences) addFence(town, fence);
for await (const report of simulateDevices(town, days)) tell({ report });
process.disconnect?.();
