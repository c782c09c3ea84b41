import { CommandError } from "../base/command.ts";
import type { Database } from "../data/database.ts";
import { askerOf } from "../doctor/ask.ts";
import { examine } from "../doctor/checks.ts";
import type { Finding } from "../doctor/finding.ts";
import { knownHere } from "../doctor/known-here.ts";
import { lineOf } from "../doctor/line-of.ts";
import { ownKey } from "../doctor/own-key.ts";

/**
 * Runs the checks of `npm run doctor` on the new deployment, with a temporary key.
 * @param worldIsOurs false if this deployment could not import the world base data, so that it may be missing
 * @throws CommandError if a check fails
 */
export async function smokeTest(
  url: string,
  database: Database,
  log: (line: string) => void,
  worldIsOurs: boolean,
): Promise<void> {
  log("Checking the deployment…");
  const { key, end } = await ownKey(database);
  let findings: Finding[];
  try {
    findings = await examine(askerOf(url, key), knownHere());
  } finally {
    await end();
  }
  if (!worldIsOurs) findings = findings.map(withoutWorld);
  const fine = findings.filter(({ state }) => state === "ok").length;
  for (const finding of findings) if (finding.state !== "ok") log(lineOf(finding));
  log(`${fine} of ${findings.length} checks passed.`);
  const wrong = findings.length - fine - findings.filter(({ state }) => state === "note").length;
  if (wrong > 0)
    throw new CommandError(
      `The Worker is deployed, but ${wrong === 1 ? "one thing is" : `${wrong} things are`} wrong with it, as listed above. Fix it and redeploy, or check again: GRATICULE_KEY=… npm run doctor -- --remote ${url}. To restore the previous version: npx wrangler rollback`,
    );
}

/** Without credentials of the bucket, missing world base data is not an error. */
function withoutWorld(finding: Finding): Finding {
  return finding.check === "geodata" && finding.said.includes("no world base data")
    ? { ...finding, state: "note" }
    : finding;
}
