import { readFileSync, statfsSync } from "node:fs";

/**
 * What the Worker may know of the machine it runs on, for metrics and alerts: a Worker sees neither disk nor memory. Bound as
 * MACHINE (src/env.ts).
 * @param state the folder whose disk is meant
 */
export function machineService(
  state: string,
  told: () => { isDiskFull: boolean; stuckRestarts: number },
): () => Promise<Response> {
  return async () => {
    const { bavail, blocks, bsize } = statfsSync(state);
    return Response.json({
      diskFreeBytes: bavail * bsize,
      diskSizeBytes: blocks * bsize,
      memoryBytes: memoryOf(process.pid),
      ...told(),
    });
  };
}

/** Memory of a process and of those it has started, as Linux tells it [bytes]; undefined elsewhere. */
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
