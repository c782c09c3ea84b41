import { readContribution } from "../../core/routing/learn/contribution.ts";
import type { Drive } from "../../core/routing/learn/drives.ts";
import { RESIDUAL_KEY } from "../../core/routing/learn/keys.ts";
import { writeResidual } from "../../core/routing/learn/residual.ts";
import { type TrainedResidual, trainResidual } from "../../core/routing/learn/train-residual.ts";
import type { Progress } from "../../importer/common/progress.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import type { Contributions } from "./contributions.ts";

/** Older journeys were predicted by older speeds. */
const TRAINING_WEEKS = 4;
/** More journeys do not change a model of this size. */
const MAX_DRIVES = 50_000;
/** Reads that run at the same time. */
const PARALLEL = 16;

/**
 * Journeys by car that learned speeds predicted. Others show what speeds will contain once they are learned: a model of them would
 * correct it a second time.
 */
const isUsable = ({ mode, profile, learned }: Drive) => mode === "car" && learned !== profile;

/** Trains the residual model by the journeys of the latest weeks, and stores it unless `dryRun`; undefined if there are none. */
export async function trainModel(
  bucket: Bucket,
  { byWeek }: Contributions,
  progress: Progress,
  { dryRun }: { dryRun: boolean },
): Promise<TrainedResidual | undefined> {
  const weeks = [...byWeek.keys()].sort((a, b) => b - a).slice(0, TRAINING_WEEKS);
  const contributions = weeks.flatMap((week) => byWeek.get(week)!);
  progress.expect(contributions.length, "contributions");
  const drives: Drive[] = [];
  for (let i = 0; i < contributions.length && drives.length < MAX_DRIVES; i += PARALLEL) {
    const some = contributions.slice(i, i + PARALLEL);
    const stored = await Promise.all(some.map(({ key }) => bucket.get(key)));
    // In order, so that the same contributions give the same model.
    for (const one of stored) {
      if (!one) continue;
      for (const drive of (await readContribution(one.bytes)).drives) if (isUsable(drive)) drives.push(drive);
    }
    progress.advance(some.length);
  }
  if (drives.length === 0) {
    if (!dryRun) await bucket.delete([RESIDUAL_KEY]);
    return undefined;
  }
  drives.sort((a, b) => a.day - b.day);
  const trained = trainResidual(
    drives.map(({ features, learned, actual }) => ({ features, predicted: learned, actual })),
  );
  if (!dryRun) await bucket.put(RESIDUAL_KEY, await writeResidual(trained.model));
  return trained;
}
