/** Time limits of a scheduled run; tests use others. */
export interface MoveTimes {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Maximum duration of a run. */
  roundMs: number;
  /** How long the source keeps a moved project's rows for callers that still read them. */
  sourceRetentionMs: number;
  /** How long callers and scheduled runs may assume that the project is not moving. */
  unknownMs: number;
}
