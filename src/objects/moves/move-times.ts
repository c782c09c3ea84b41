/** What a round goes by; tests have other times. */
export interface MoveTimes {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** How long a round may take. */
  roundMs: number;
  /** How long the source keeps the rows of a project that has left, for who still reads them. */
  keptMs: number;
  /** How long callers may believe that the project does not move. */
  unknownMs: number;
}
