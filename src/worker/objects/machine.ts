interface BackupFigures {
  /** The moment that the newest backup shows [ms]; absent: none succeeded yet. */
  at?: number;
  /** Of continuous backups: the time between two of them, and how long the server was paused [ms]. */
  everyMs?: number;
  pausedMs?: number;
  isFailing: boolean;
  /** How old the newest moment of continuous backups is [ms], and whether that is more than three intervals. */
  ageMs?: number;
  isLate?: boolean;
}

/** What `npm start` reports about its machine (src/server/start/machine.ts). */
export interface MachineFigures {
  diskFreeBytes: number;
  diskSizeBytes: number;
  /** Memory of all server processes; available only on Linux. */
  memoryBytes?: number;
  /** No more writes are allowed (src/server/start/disk-reserve.ts). */
  isDiskFull?: boolean;
  /** How often workerd was restarted because it was stuck. */
  stuckRestarts?: number;
  /** How often it was because it had ended by itself; and how often within the last hour. */
  crashRestarts?: number;
  crashesLastHour?: number;
  /** The last backup of this state from this machine; absent: none is known. */
  backup?: BackupFigures;
}

export async function machineFigures(machine: Fetcher): Promise<MachineFigures> {
  const answer = await machine.fetch("http://machine/figures");
  const figures = await answer.json<Partial<MachineFigures>>();
  const { diskFreeBytes, diskSizeBytes } = figures;
  if (!(Number(diskFreeBytes) >= 0 && Number(diskSizeBytes) > 0)) throw new Error("the machine reports no disk");
  return figures as MachineFigures;
}
