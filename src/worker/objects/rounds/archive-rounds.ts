import { type ArchiveFigures, addFigures, archiveFigures } from "../../db/archive/archive-figures.ts";
import { everyDatabase } from "../../db/databases.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { alertWatchOf } from "../alerts/alert-watch-stub.ts";
import { archiveRound, movedBefore } from "./archive-round.ts";
import { workOnEach } from "./guarded.ts";

/**
 * Runs the archive in each database. The result goes to the deployment's alert watch, which has its own disk: the
 * database is one of the things that can fail.
 */
export async function archiveRounds(env: Env, now: number): Promise<void> {
  let failed = false;
  let figures: ArchiveFigures | undefined;
  try {
    await workOnEach(everyDatabase(env), async (one) => {
      const done = await archiveRound(one, now);
      failed ||= done.failed > 0;
      const its = await new MovingScopes(one).leftOutOf((except) =>
        archiveFigures(one.DB, movedBefore(env, now), except),
      );
      figures = figures ? addFigures(figures, its) : its;
    });
  } catch (error) {
    failed = true;
    figures = undefined;
    console.error(JSON.stringify({ what: "archive", error: describeBriefly(error) }));
  }
  await alertWatchOf(env).archived(now, failed, figures);
}
