export interface Problem {
  /** HTTP status; 0: no answer came. */
  status: number;
  /** A sentence for the viewer. */
  message: string;
  /** The parameter at fault, as the server names it ("tracking[dwellThreshold]"). */
  param?: string;
}

export type QueryValues = Record<string, string | number | boolean | undefined>;
