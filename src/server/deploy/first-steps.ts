import { CommandError } from "../base/command.ts";
import { table } from "../base/table.ts";
import { type Database, query } from "../data/database.ts";
import { addMember, memberLink, settleOperator } from "../project/members.ts";
import { createProject, DOCTOR_PROJECT, KEY_NAMES } from "../project/projects.ts";
import { deployTrouble } from "./trouble.ts";

/**
 * Creates the first project, its owner and a sign-in link. Skips existing ones, so that an interrupted deployment can
 * resume.
 * @param owner email of the owner; undefined if not specified
 */
export async function firstSteps(
  database: Database,
  url: string,
  log: (line: string) => void,
  owner: () => Promise<string | undefined>,
): Promise<void> {
  const [{ project, owners, ways }] = await query(
    database,
    `SELECT (SELECT min(id) FROM project WHERE name <> '${DOCTOR_PROJECT}') AS project,
      (SELECT count(*) FROM membership WHERE role = 'owner') AS owners,
      (SELECT count(*) FROM sign_in_link) + (SELECT count(*) FROM session) + (SELECT count(*) FROM passkey) AS ways`,
  );
  if (project !== null && Number(owners) > 0 && Number(ways) > 0) return;
  const email = await owner();
  if (email === undefined) {
    if (project === null) log("There are no projects yet. Create one: npm run deploy -- --owner you@example.com");
    else if (Number(owners) === 0)
      log("The first project has no owner. Set one: npm run deploy -- --owner you@example.com");
    return;
  }
  let id = Number(project);
  if (project === null) {
    const made = await createProject(database, "first");
    id = made.id;
    // Print the keys before any other step can fail: they are shown only once.
    const rows = KEY_NAMES.map((kind): [string, string] => [kind, made.keys[kind]]);
    log(`Created the first project. Its keys, shown only once:\n\n${table(rows)}\n`);
  } else {
    log(
      `Project ${id} already exists. If you do not have its keys, create a new one: npm run project -- rotate ${id} testSecret --remote`,
    );
  }
  await addMember(database, id, email, "owner");
  await settleOperator(database, email);
  log(
    `Sign in as its owner with this single-use link, valid for three days: ${await memberLink(database, email, url)}`,
  );
}

/** Wraps the database so that Cloudflare errors include a suggested fix. */
export function goingOn(database: Database): Database {
  return {
    async batch(statements) {
      try {
        return await database.batch(statements);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const known = deployTrouble(error.message);
        throw new CommandError(`${error.message}\n\n${known ?? "Redeploy to resume."}`);
      }
    },
    size: () => database.size(),
    close: () => database.close(),
  };
}
