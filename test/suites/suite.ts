/** What a file of scenarios came to: rows. */
export interface FileResult {
  file: string;
  passed: number;
  comparable: number;
  left: number;
}

export interface SuiteOptions {
  /** Print the rows that fail. */
  verbose: boolean;
  /** Print the rows that are not compared, and why. */
  left: boolean;
}
