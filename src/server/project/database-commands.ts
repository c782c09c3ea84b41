import { setTimeout as sleep } from "node:timers/promises";
import { jurisdictionOf } from "../../worker/platform/jurisdiction.ts";
import { CommandError, UsageError, wholeNumber } from "../base/command.ts";
import { table } from "../base/table.ts";
import type { Database } from "../data/database.ts";
import { type Databases, listDatabases, mustBeNamed, setClosed } from "../data/databases.ts";
import { readDevKeys } from "./dev-keys.ts";
import { askForMove, cancelMove, findMove, hasEnded, listMoves, sayMove } from "./moves.ts";

/** The options of `npm run project -- move` and its like. */
export interface DatabaseOptions {
  to?: string;
  cancel?: boolean;
  remote?: boolean;
  json?: boolean;
}

type Run = (
  database: Database,
  words: string[],
  keysFile: string | undefined,
  options: DatabaseOptions,
  databases: Databases,
) => Promise<{ json: unknown; text: string }>;

/** How often a move is looked at, on this machine and in a deployment, where each look is a command of wrangler's [ms]. */
const LOOK_EACH = { here: 2_000, remote: 15_000 };
/** A move without a cron run for this long is stalled [ms]; the cron runs every minute. */
const NO_ROUND_MS = 150_000;

export const databaseCommands: Record<string, { words: string[]; run: Run }> = {
  databases: {
    words: [],
    async run(database, _, __, ___, databases) {
      const found = await listDatabases(database, databases);
      const hasPlaces = databases.names.some(jurisdictionOf);
      const lines = found.map(({ name, bytes, projects, closed }) => [
        name,
        `${(bytes / 1e6).toFixed(1)} MB`,
        String(projects),
        closed ? "closed" : "open",
        ...(hasPlaces ? [jurisdictionOf(name) ?? "none"] : []),
      ]);
      const head = ["database", "size", "projects", "accepts new projects", ...(hasPlaces ? ["jurisdiction"] : [])];
      return { json: found, text: table(lines, head) };
    },
  },
  close: { words: ["DB"], run: (database, [name], _, __, databases) => close(database, databases, name, true) },
  open: { words: ["DB"], run: (database, [name], _, __, databases) => close(database, databases, name, false) },
  move: {
    words: ["ID"],
    async run(database, [id], keysFile, { to, cancel, remote, json }, databases) {
      const project = wholeNumber(id, "The project's ID");
      if ((to === undefined) === !cancel) throw new UsageError("Specify --to and a database, or --cancel.");
      if (to !== undefined) {
        mustBeNamed(to, databases);
        await askForMove(database, project, to);
      } else await cancelMove(database, project);
      const origin = keysFile === undefined ? undefined : readDevKeys(keysFile)?.baseUrl;
      return watch(database, project, { each: LOOK_EACH[remote ? "remote" : "here"], origin, print: !json });
    },
  },
  moves: {
    words: [],
    async run(database) {
      const moves = await listMoves(database);
      return { json: moves, text: moves.map(sayMove).join("\n") || "No project has moved." };
    },
  },
};

async function close(database: Database, databases: Databases, name: string, closed: boolean) {
  mustBeNamed(name, databases);
  await setClosed(database, name, closed);
  return {
    json: { name, closed },
    text: `New projects begin ${closed ? `not in ${name} any more` : `in ${name}, too, where it is the smallest`}.`,
  };
}

/** Prints the progress of a move until it ends. @throws CommandError if it failed or is stalled */
async function watch(
  database: Database,
  project: number,
  { each, origin, print }: { each: number; origin: string | undefined; print: boolean },
): Promise<{ json: unknown; text: string }> {
  let said = "";
  let lastRound = Date.now();
  for (;;) {
    const move = await findMove(database, project);
    if (!move) throw new CommandError(`The move of project ${project} no longer exists.`);
    const text = sayMove(move);
    if (hasEnded(move)) {
      if (move.step === "failed") throw new CommandError(text);
      return { json: move, text };
    }
    if (print && text !== said) console.log(text);
    said = text;
    if (move.isUnderWay) lastRound = Date.now();
    if (Date.now() - lastRound > NO_ROUND_MS)
      throw new CommandError(
        `${text}\nThe move is stalled because no server is running. It resumes when you run npm start, npm run dev, or a deployment with its cron trigger.`,
      );
    // The dev server does not run cron jobs.
    if (origin && !move.isUnderWay)
      void fetch(`${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
    await sleep(each);
  }
}
