import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Path of a program that some machines have; undefined: tests of it are skipped. */
export function programIn(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export const PROMTOOL = programIn("promtool");
