import type { Finding } from "./finding.ts";

/** "ok     tables         0007_rows.sql" */
export function lineOf({ check, state, said, todo }: Finding): string {
  return `${state.padEnd(6)} ${check.padEnd(24)} ${said}${todo ? `\n${" ".repeat(32)}→ ${todo}` : ""}`;
}
