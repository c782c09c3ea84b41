import { CommandError } from "../command.ts";
import type { Database } from "../data/database.ts";
import { askerOf } from "../doctor/ask.ts";
import { examine, type Finding } from "../doctor/checks.ts";
import { knownHere } from "../doctor/known-here.ts";
import { lineOf } from "../doctor/line-of.ts";
import { ownKey } from "../doctor/own-key.ts";

/**
 * Asks what was just deployed for a request of each kind, as `npm run doctor` does, with a key for this once.
 * @param worldIsOurs false: nobody has looked after the base of the world, so that it may be missing
 * @throws CommandError where something is wrong
 */
export async function smokeTest(
  url: string,
  database: Database,
  tell: (line: string) => void,
  worldIsOurs: boolean,
): Promise<void> {
  tell("Checking the deployment…");
  const { key, end } = await ownKey(database);
  let findings: Finding[];
  try {
    findings = await examine(askerOf(url, key), knownHere());
  } finally {
    await end();
  }
  if (!worldIsOurs) findings = findings.map(withoutWorld);
  const fine = findings.filter(({ state }) => state === "ok").length;
  for (const finding of findings) if (finding.state !== "ok") tell(lineOf(finding));
  tell(`${fine} of ${findings.length} checks passed.`);
  const wrong = findings.length - fine - findings.filter(({ state }) => state === "note").length;
  if (wrong > 0)
    throw new CommandError(
      `The Worker is deployed, but ${wrong === 1 ? "one thing is" : `${wrong} things are`} wrong with it, as listed above. Fix it and redeploy, or check again: GRATICULE_KEY=… npm run doctor -- --remote ${url}. To restore the previous version: npx wrangler rollback`,
    );
}

/** What a deployment without the bucket's credentials cannot have is no fault of it. */
function withoutWorld(finding: Finding): Finding {
  return finding.check === "geodata" && finding.said.includes("no world base data")
    ? { ...finding, state: "note" }
    : finding;
}
