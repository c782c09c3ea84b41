import type { Progress } from "../../importer/common/progress.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { readContribution } from "../../routing/learn/contribution.ts";
import type { Drive } from "../../routing/learn/drives.ts";
import { RESIDUAL_KEY } from "../../routing/learn/keys.ts";
import { writeResidual } from "../../routing/learn/residual.ts";
import { type TrainedResidual, trainResidual } from "../../routing/learn/train-residual.ts";
import type { Contributions } from "./contributions.ts";

/** Older journeys were predicted by older speeds. */
const TRAINING_WEEKS = 4;
/** More journeys do not change a model of this size. */
const MAX_DRIVES = 50_000;

/** Trains the residual model by the journeys of the latest weeks, and stores it; undefined if there are none. */
export async function trainModel(
  bucket: Bucket,
  { byWeek }: Contributions,
  progress: Progress,
): Promise<TrainedResidual | undefined> {
  const weeks = [...byWeek.keys()].sort((a, b) => b - a).slice(0, TRAINING_WEEKS);
  const drives: Drive[] = [];
  for (const week of weeks) {
    for (const { key } of byWeek.get(week)!) {
      if (drives.length >= MAX_DRIVES) break;
      const stored = await bucket.get(key);
      if (stored)
        for (const drive of (await readContribution(stored.bytes)).drives) if (drive.mode === "car") drives.push(drive);
      progress.advance();
    }
  }
  if (drives.length === 0) {
    await bucket.delete([RESIDUAL_KEY]);
    return undefined;
  }
  drives.sort((a, b) => a.day - b.day);
  const trained = trainResidual(
    drives.map(({ features, learned, actual }) => ({ features, predicted: learned, actual })),
  );
  await bucket.put(RESIDUAL_KEY, await writeResidual(trained.model));
  return trained;
}
