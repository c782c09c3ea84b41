import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Seconds of CPU that a process has used since it began, in user and kernel, over all its threads. Linux only; steps of 10 ms. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond();
}

/** Bytes of memory that a process holds now. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** The process that started this one. @throws Error if the process is gone */
export const parentOf = (pid: number): number => Number(statFields(pid)[1]);

/** The processes whose parent this one is, by the name of their program. */
export function childrenNamed(name: string, parent = process.pid): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name && parentOf(pid) === parent;
      } catch {
        return false; // gone while we looked
      }
    });
}

/** The fields of /proc/PID/stat after the name, which may hold anything: state is 0, parent 1, user time 11, kernel time 12. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

let ticks = 0;
function ticksPerSecond(): number {
  ticks ||= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}
