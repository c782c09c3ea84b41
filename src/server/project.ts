import { resolve } from "node:path";
import { ROLES } from "../core/auth/role.ts";
import { periodOf } from "../core/limits/table.ts";
import { JURISDICTIONS, jurisdictionOf } from "../worker/platform/jurisdiction.ts";
import { readArguments, runCommand, UsageError, wholeNumber } from "./base/command.ts";
import { table } from "./base/table.ts";
import { ROOT } from "./base/wrangler.ts";
import type { Database } from "./data/database.ts";
import {
  type Databases,
  localDatabases,
  mustBeNamed,
  readJurisdiction,
  remoteDatabases,
  roomiest,
} from "./data/databases.ts";
import { DEFAULT_STATE, openExistingDatabase } from "./data/local-database.ts";
import { openRemoteDatabase } from "./data/remote-database.ts";
import { type DatabaseOptions, databaseCommands } from "./project/database-commands.ts";
import { replaceDevKey } from "./project/dev-keys.ts";
import { type MemberOptions, memberCommands } from "./project/member-commands.ts";
import { LOCAL_ORIGIN } from "./project/members.ts";
import { changeLimits, readLimits } from "./project/project-limits.ts";
import {
  createProject,
  isKeyName,
  KEY_NAMES,
  listProjects,
  projectKeys,
  revokeKeys,
  rotateKey,
  setDisabled,
  setQuota,
} from "./project/projects.ts";

const USAGE = `npm run project -- COMMAND [options]

  create NAME        create a project and its four keys, which are shown only once
  list               list all projects
  keys ID            list the keys of a project by their last four characters
  rotate ID KIND     create a new key, shown only once, and revoke the old one of that kind
  revoke ID KEY      revoke a key without replacement; KEY: a kind, the last four characters, or the full key
  disable ID         return 402 for all calls of a project
  enable ID          undo disable
  quota ID N|none    set the calls per calendar month (UTC); further calls return 402
  limits ID [ENDPOINT=N|default]…   set calls per second of endpoints, such as track=50 matrix=5, what a
                     publishable key may add per hour (newUsers, newTrips, newEvents, newMegabytes,
                     newMegabytesPerDevice), and what it may compute (computing, in milliseconds per
                     second); without limits: show them
  databases          list the databases of wrangler.toml with their sizes and projects
  close DB           create no new projects in this database
  open DB            undo close
  move ID --to DB_2  move a project's data to another database while it is in use, and to its jurisdiction; --cancel stops
                     the move
  moves              list moves and their state
  member add EMAIL     add a member with --role; prints a single-use sign-in link
  member list          list all members, or those of --project
  member remove EMAIL  remove a member from --project, or from all projects
  member link EMAIL    create a new single-use sign-in link
  operator add EMAIL     allow a member to change geodata, which all projects share
  operator list          list all operators
  operator remove EMAIL  undo operator add`;

const HELP = `${USAGE}

KIND is one of ${KEY_NAMES.join(", ")}. A change takes effect within 10 s.

  --in DB            with create: the database of the project (default: the smallest open one)
  --jurisdiction J   with create: ${JURISDICTIONS.join(" or ")}, where all data of the project are stored from then on; only move
                     changes it (to DB_EU, for example). docs/residency.md
  --role ROLE        with member add: ${ROLES.join(", ")}; changes the role of an existing member
  --project ID       with member; optional if there is only one project
  --url URL          URL of the dashboard, for links (${LOCAL_ORIGIN}, or the one of npm run dev)
  --remote           use the deployed database instead of the local one
  --persist-to DIR   the folder of the local database (${DEFAULT_STATE})
  --keys-file FILE   the key file of npm run dev (.dev.keys.json)
  --json             one JSON value, for scripts (npm run -s project -- …)`;

/** The result of a command: for a script, and for a reader. */
interface Answer {
  json: unknown;
  text: string;
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      "keys-file": { type: "string", default: resolve(ROOT, ".dev.keys.json") },
      role: { type: "string" },
      in: { type: "string" },
      jurisdiction: { type: "string" },
      to: { type: "string" },
      cancel: { type: "boolean" },
      project: { type: "string" },
      url: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.length === 0) throw new UsageError("Specify a command.");

  const [name, ...words] =
    positionals[0] === "member" ? [positionals.slice(0, 2).join(" "), ...positionals.slice(2)] : positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command "${name}".`);
  const { least = command.words.length, most = command.words.length } = command;
  if (words.length < least || words.length > most)
    throw new UsageError(`Usage: npm run project -- ${[name, ...command.words].join(" ")}`);

  const database = values.remote ? openRemoteDatabase() : openExistingDatabase(resolve(values["persist-to"]));
  try {
    const keysFile = values.remote ? undefined : resolve(values["keys-file"]);
    const databases = values.remote ? remoteDatabases() : localDatabases(resolve(values["persist-to"]));
    const answer = await command.run(database, words, keysFile, values, databases);
    console.log(values.json ? JSON.stringify(answer.json) : answer.text);
  } finally {
    database.close();
  }
}

/** One command: the words after its name, and what it does with the database. */
interface Command {
  words: string[];
  /** How many words it may have, where that is not fixed. */
  least?: number;
  most?: number;
  run(
    database: Database,
    words: string[],
    keysFile: string | undefined,
    options: MemberOptions & DatabaseOptions & { in?: string; jurisdiction?: string },
    databases: Databases,
  ): Promise<Answer>;
}

const commands: Record<string, Command> = {
  create: {
    words: ["NAME"],
    async run(database, [name], _, { in: asked, jurisdiction: place }, databases) {
      if (!name.trim()) throw new UsageError("A project needs a name.");
      const wanted = place === undefined ? undefined : readJurisdiction(place);
      if (asked !== undefined) mustBeNamed(asked, databases);
      if (asked !== undefined && wanted && jurisdictionOf(asked) !== wanted)
        throw new UsageError(
          `The database ${asked} is not in the jurisdiction ${wanted}. Omit --in, or --jurisdiction.`,
        );
      const home = asked ?? (await roomiest(database, databases, wanted));
      const jurisdiction = jurisdictionOf(home);
      const { id, keys } = await createProject(database, name, undefined, home);
      const lines = KEY_NAMES.map((kind) => [kind, keys[kind]]);
      return {
        json: { id, name, database: home, ...(jurisdiction && { jurisdiction }), keys },
        text: `Project ${id}, ${name}${databases.names.length > 1 ? `, in ${home}` : ""}${jurisdiction ? ` (jurisdiction ${jurisdiction})` : ""}. Its keys, shown only once:\n\n${table(lines)}`,
      };
    },
  },
  list: {
    words: [],
    async run(database, _, __, ___, { names }) {
      const projects = await listProjects(database);
      const hasMore = names.length > 1;
      const hasPlaces = projects.some(({ jurisdiction }) => jurisdiction) || names.some(jurisdictionOf);
      const lines = projects.map((project) => [
        String(project.id),
        project.name,
        project.disabled ? "disabled" : "enabled",
        String(project.monthlyQuota ?? "none"),
        String(project.callsThisMonth),
        day(project.createdAt),
        ...(hasMore ? [project.database] : []),
        ...(hasPlaces ? [project.jurisdiction ?? "none"] : []),
      ]);
      const head = ["id", "name", "state", "quota", "calls this month", "since", ...(hasMore ? ["database"] : [])];
      if (hasPlaces) head.push("jurisdiction");
      return { json: projects, text: table(lines, head) };
    },
  },
  keys: {
    words: ["ID"],
    async run(database, [id]) {
      const keys = await projectKeys(database, projectId(id));
      const lines = keys.map(({ kind, hint, createdAt, revokedAt }) => [
        kind,
        `…${hint}`,
        day(createdAt),
        revokedAt === null ? "active" : `revoked ${day(revokedAt)}`,
      ]);
      const json = keys.map(({ kind, hint, createdAt, revokedAt }) => ({ kind, hint, createdAt, revokedAt }));
      return { json, text: table(lines, ["kind", "ends with", "since", "state"]) };
    },
  },
  rotate: {
    words: ["ID", "KIND"],
    async run(database, [id, kind], keysFile) {
      if (!isKeyName(kind)) throw new UsageError(`Unknown kind of key "${kind}". Kinds: ${KEY_NAMES.join(", ")}.`);
      const { key, revoked } = await rotateKey(database, projectId(id), kind);
      const inFile = keysFile !== undefined && (await replaceDevKey(keysFile, kind, revoked, key));
      const place = inFile ? `\n\n(also in ${keysFile})` : "";
      return {
        json: { id: projectId(id), kind, key },
        text: `The new ${kind} key of project ${id}, shown only once:\n\n${key}${place}`,
      };
    },
  },
  revoke: {
    words: ["ID", "KEY"],
    async run(database, [id, which]) {
      const revoked = await revokeKeys(database, projectId(id), which);
      return { json: { revoked }, text: `Revoked: ${revoked.map((hint) => `…${hint}`).join(", ")}` };
    },
  },
  disable: { words: ["ID"], run: (database, [id]) => setDisabledTo(true, database, projectId(id)) },
  enable: { words: ["ID"], run: (database, [id]) => setDisabledTo(false, database, projectId(id)) },
  quota: {
    words: ["ID", "N|none"],
    async run(database, [id, calls]) {
      const monthlyQuota = calls === "none" ? null : wholeNumber(calls, "The quota");
      await setQuota(database, projectId(id), monthlyQuota);
      const text = monthlyQuota === null ? "has no quota" : `may make ${monthlyQuota} calls per month`;
      return { json: { id: projectId(id), monthlyQuota }, text: `Project ${id} ${text}.` };
    },
  },
  limits: {
    words: ["ID", "ENDPOINT=N"],
    least: 1,
    most: Number.POSITIVE_INFINITY,
    async run(database, [id, ...changes]) {
      const limits = await changeLimits(database, projectId(id), readLimits(changes));
      const lines = limits.map(({ endpoint, rate, own }) => [
        endpoint,
        `${rate}/${periodOf(endpoint) === "hour" ? "h" : "s"}`,
        own ? "custom" : "default",
      ]);
      const json = { id: projectId(id), limits };
      return { json, text: table(lines, ["endpoint", "limit", ""]) };
    },
  },
};

Object.assign(commands, memberCommands, databaseCommands);

async function setDisabledTo(disabled: boolean, database: Database, id: number): Promise<Answer> {
  await setDisabled(database, id, disabled);
  return { json: { id, disabled }, text: `Project ${id} is ${disabled ? "disabled" : "enabled"}.` };
}

const projectId = (text: string) => wholeNumber(text, "The project's ID");

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

await runCommand(main, USAGE);
