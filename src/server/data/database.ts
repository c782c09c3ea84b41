export type Value = string | number | null;
export type Row = Record<string, Value>;

export interface Statement {
  sql: string;
  /** Bound to the `?` of the text, in order. */
  values?: Value[];
}

/** A D1 database as the operator's commands see it: the file of `npm run dev`, or the deployed one. */
export interface Database {
  /** Runs the statements in order, all or none; the rows of each. */
  batch(statements: Statement[]): Promise<Row[][]>;
  /** Size on disk [bytes]. */
  size(): Promise<number>;
  close(): void;
}

/** The rows of a single statement. */
export async function query(database: Database, sql: string, ...values: Value[]): Promise<Row[]> {
  return (await database.batch([{ sql, values }]))[0];
}
