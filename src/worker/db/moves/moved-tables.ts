import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../schema.ts";

/** A table with projects' data: its key begins with the scope. */
export interface MovedTable {
  name: string;
  columns: readonly string[];
  /** The primary key, in order; `scope` is first. */
  key: readonly string[];
}

/** Every table whose key begins with the scope, in the order of the schema: the tables that move with a project. */
export const MOVED_TABLES: readonly MovedTable[] = Object.values<unknown>(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => {
    const { name, columns, primaryKeys } = getTableConfig(table as SQLiteTable);
    const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
    return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
  })
  .filter(({ key }) => key[0] === "scope");

/** The test and live scopes of a project. */
export const scopesOf = (project: number): [test: number, live: number] => [project * 2, project * 2 + 1];
