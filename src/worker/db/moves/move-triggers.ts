import { REFUSAL } from "../refusal.ts";
import { MOVED_TABLES, scopesOf } from "./moved-tables.ts";

/**
 * Triggers that a move creates on the tables of the source database. They work for every writer, even one with an
 * outdated location of the project: each change is recorded in its own transaction (`noting`), and changes are rejected
 * once the last step has begun (`refusing`).
 */

const KINDS = ["INSERT", "UPDATE", "DELETE"] as const;
type Kind = (typeof KINDS)[number];

const nameOf = (what: "noted" | "refused", project: number, table: string, kind: Kind) =>
  `move_${project}_${what}_${table}_${kind.toLowerCase()}`;

const when = (project: number, kind: Kind) =>
  `${kind === "DELETE" ? "OLD" : "NEW"}.scope IN (${scopesOf(project).join()})`;

const rowOf = (project: number, table: string, key: readonly string[], row: "OLD" | "NEW") =>
  `SELECT ${project}, '${table}', json_array(${key.map((column) => `${row}."${column}"`).join()})`;

/** Statements that record every change of a project's rows in `moved_change`. */
export function noting(project: number): string[] {
  return MOVED_TABLES.flatMap(({ name, key }) =>
    KINDS.map((kind) => {
      const rows =
        kind === "UPDATE" ? (["OLD", "NEW"] as const) : [kind === "DELETE" ? ("OLD" as const) : ("NEW" as const)];
      const changes = rows.map((row) => rowOf(project, name, key, row)).join(" UNION ");
      return `CREATE TRIGGER IF NOT EXISTS ${nameOf("noted", project, name, kind)} AFTER ${kind} ON "${name}"
        WHEN ${when(project, kind)} BEGIN INSERT INTO moved_change (project, name, key) ${changes}; END`;
    }),
  );
}

/** Statements that reject every change of a project's rows. */
export function refusing(project: number): string[] {
  return MOVED_TABLES.flatMap(({ name }) =>
    KINDS.map(
      (kind) =>
        `CREATE TRIGGER IF NOT EXISTS ${nameOf("refused", project, name, kind)} BEFORE ${kind} ON "${name}"
         WHEN ${when(project, kind)} BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
    ),
  );
}

/** Statements that drop the triggers of either. */
export function ending(what: "noted" | "refused", project: number): string[] {
  return MOVED_TABLES.flatMap(({ name }) =>
    KINDS.map((kind) => `DROP TRIGGER IF EXISTS ${nameOf(what, project, name, kind)}`),
  );
}
