import { readFileSync, statfsSync } from "node:fs";
import { ageOf, isLate, lastBackup } from "../backup/last-backup.ts";
import type { Restarts } from "./restarts.ts";

/**
 * Provides disk and memory statistics of the machine for metrics and alerts, which a Worker cannot read itself. Bound
 * as MACHINE (src/worker/platform/env.ts).
 * @param state folder whose disk is measured
 * @param damaged sets the file of a Durable Object aside if it is damaged
 * @param isDatabaseDamaged asked when a request failed by an error of workerd
 */
export function machineService(
  state: string,
  told: () => { isDiskFull: boolean } & ReturnType<Restarts["figures"]>,
  damaged: (className: string, id: string) => boolean,
  isDatabaseDamaged: () => boolean,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const [, asked, className = "", id = ""] = new URL(request.url).pathname.split("/");
    if (asked === "damaged") return Response.json({ isSetAside: damaged(className, id) });
    if (asked === "damaged-database") return Response.json({ isDamaged: isDatabaseDamaged() });
    const { bavail, blocks, bsize } = statfsSync(state);
    return Response.json({
      diskFreeBytes: bavail * bsize,
      diskSizeBytes: blocks * bsize,
      memoryBytes: memoryOf(process.pid),
      ...told(),
      backup: backupFigures(state),
    });
  };
}

/** Of the note that backups leave in the state (src/server/backup/last-backup.ts); undefined: there is none. */
function backupFigures(state: string) {
  const last = lastBackup(state);
  if (!last) return undefined;
  const age = ageOf(last, Date.now());
  const at = last.at === undefined ? Number.NaN : Date.parse(last.at);
  return {
    ...(Number.isFinite(at) && { at }),
    everyMs: last.everyMs,
    pausedMs: last.pausedMs,
    isFailing: last.error !== undefined,
    ...(age !== undefined && Number.isFinite(age) && { ageMs: age }),
    isLate: isLate(last, Date.now()),
  };
}

/** Memory of a process and its children, from Linux [bytes]; undefined on other systems. */
function memoryOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return children.reduce((sum, child) => sum + (memoryOf(Number(child)) ?? 0), own);
  } catch {
    return undefined;
  }
}
