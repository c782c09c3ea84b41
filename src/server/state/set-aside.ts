import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { damageOf } from "./integrity.ts";

/** Folder in the state for damaged files. */
const FOLDER = "damaged";

/**
 * Moves the file of a Durable Object out of the way if it is damaged, so that the object starts empty.
 * @param id of the object, 64 hexadecimal digits
 * @returns where it is now, and what was wrong; undefined if nothing is wrong with it
 */
export function setAside(
  state: string,
  { worker, className, id }: { worker: string; className: string; id: string },
  now: number,
): { path: string; to: string; damage: string } | undefined {
  if (!/^[0-9a-f]{64}$/.test(id) || !/^\w+$/.test(className)) return undefined;
  const path = join(state, "v3/do", `${worker}-${className}`, `${id}.sqlite`);
  const damage = existsSync(path) ? damageOf(path, true) : undefined;
  if (damage === undefined || damage.startsWith("this user")) return undefined;
  return { path, to: moveAside(state, path, `${className}-${id}`, now), damage };
}

/** @returns where the file is now */
export function moveAside(state: string, path: string, name: string, now: number): string {
  const to = join(state, FOLDER, `${name}-${new Date(now).toISOString().replaceAll(":", "")}.sqlite`);
  mkdirSync(join(state, FOLDER), { recursive: true, mode: 0o700 });
  // The log first: without its database it is nothing, and a new database must not find it.
  for (const more of ["-wal", "-shm", ""]) if (existsSync(path + more)) renameSync(path + more, to + more);
  return to;
}
