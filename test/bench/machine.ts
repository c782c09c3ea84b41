import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  node: string;
  /** Mean number of running processes in the last minute, before the bench began: far from 0, the figures are of a busy machine. */
  load: number;
  /** All of it in a line. */
  text: string;
}

/** Where the figures come from. */
export function machine(): Machine {
  const cpu = cpus()[0]?.model.trim() ?? process.arch;
  const cores = availableParallelism();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const load = Math.round(loadavg()[0] * 100) / 100;
  const node = process.version;
  return {
    cpu,
    cores,
    memoryGb,
    node,
    load,
    text: `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, load ${load}`,
  };
}
