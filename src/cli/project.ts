import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CommandError, runCommand, wholeNumber } from "./command.ts";
import type { Database } from "./database.ts";
import { replaceDevKey } from "./dev-keys.ts";
import { DEFAULT_STATE, openExistingDatabase } from "./local-database.ts";
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
} from "./projects.ts";
import { openRemoteDatabase } from "./remote-database.ts";
import { table } from "./table.ts";
import { ROOT } from "./wrangler.ts";

const HELP = `npm run project -- COMMAND [options]

  create NAME        a project and its four keys, shown this once
  list               all projects
  keys ID            the keys of a project, by their last four characters
  rotate ID KIND     a new key, shown this once; the old one of that kind is revoked
  revoke ID KEY      revoke without a new one; KEY: a kind, the last four characters, or the whole key
  disable ID         every call answers 402
  enable ID          undoes disable
  quota ID N|none    calls per calendar month (UTC), over it 402

KIND is one of ${KEY_NAMES.join(", ")}. A change takes effect within 10 s.

  --remote           the deployed database instead of the one of npm run dev
  --persist-to DIR   the local database below DIR (${DEFAULT_STATE})
  --keys-file FILE   where npm run dev wrote its keys (.dev.keys.json)
  --json             one JSON value, for scripts (npm run -s project -- …)`;

/** What a command answers: for a script, and for a reader. */
interface Answer {
  json: unknown;
  text: string;
}

async function project(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      "keys-file": { type: "string", default: resolve(ROOT, ".dev.keys.json") },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || positionals.length === 0) return console.log(HELP);

  const database = values.remote ? openRemoteDatabase() : openExistingDatabase(resolve(values["persist-to"]));
  try {
    const answer = await answerTo(database, positionals, values.remote ? undefined : resolve(values["keys-file"]));
    console.log(values.json ? JSON.stringify(answer.json) : answer.text);
  } finally {
    database.close();
  }
}

async function answerTo(database: Database, words: string[], keysFile: string | undefined): Promise<Answer> {
  const [command, first, second] = words;
  const id = () => wholeNumber(first, "The project's ID");
  const expected = { create: 2, list: 1, keys: 2, rotate: 3, revoke: 3, disable: 2, enable: 2, quota: 3 }[command];
  if (!expected) throw new CommandError(`No command "${command}".\n\n${HELP}`);
  if (words.length !== expected) throw new CommandError(`"${command}" takes ${expected - 1} words.\n\n${HELP}`);

  switch (command) {
    case "create": {
      if (!first.trim()) throw new CommandError("A project needs a name.");
      const made = await createProject(database, first);
      const lines = KEY_NAMES.map((kind) => [kind, made.keys[kind]]);
      return {
        json: { id: made.id, name: first, keys: made.keys },
        text: `Project ${made.id}, ${first}. Its keys, shown this once:\n\n${table(lines)}`,
      };
    }
    case "list": {
      const projects = await listProjects(database);
      const lines = projects.map((p) => [
        String(p.id),
        p.name,
        p.disabled ? "disabled" : "enabled",
        p.monthlyQuota === null ? "unlimited" : String(p.monthlyQuota),
        String(p.callsThisMonth),
        day(p.createdAt),
      ]);
      return { json: projects, text: table(lines, ["id", "name", "state", "quota", "calls this month", "since"]) };
    }
    case "keys": {
      const keys = await projectKeys(database, id());
      const lines = keys.map((key) => [
        key.kind,
        `…${key.hint}`,
        day(key.createdAt),
        key.revokedAt === null ? "active" : `revoked ${day(key.revokedAt)}`,
      ]);
      const json = keys.map(({ kind, hint, createdAt, revokedAt }) => ({ kind, hint, createdAt, revokedAt }));
      return { json, text: table(lines, ["kind", "ends with", "since", "state"]) };
    }
    case "rotate":
      return rotate(database, id(), second, keysFile);
    case "revoke": {
      const revoked = await revokeKeys(database, id(), second);
      return { json: { revoked }, text: `Revoked: ${revoked.map((hint) => `…${hint}`).join(", ")}` };
    }
    case "disable":
    case "enable": {
      await setDisabled(database, id(), command === "disable");
      return { json: { id: id(), disabled: command === "disable" }, text: `Project ${id()} is ${command}d.` };
    }
    default: {
      const quota = second === "none" ? null : wholeNumber(second, "The quota");
      await setQuota(database, id(), quota);
      const text =
        quota === null ? `Project ${id()} has no quota.` : `Project ${id()} may make ${quota} calls a month.`;
      return { json: { id: id(), monthlyQuota: quota }, text };
    }
  }
}

async function rotate(database: Database, id: number, kind: string, keysFile: string | undefined): Promise<Answer> {
  if (!isKeyName(kind)) throw new CommandError(`No kind of key "${kind}": there are ${KEY_NAMES.join(", ")}.`);
  const before = (await projectKeys(database, id)).filter((key) => key.kind === kind);
  const key = await rotateKey(database, id, kind);
  const inFile =
    keysFile !== undefined &&
    (await replaceDevKey(
      keysFile,
      kind,
      before.map(({ hash }) => hash),
      key,
    ));
  return {
    json: { id, kind, key },
    text: `The new ${kind} key of project ${id}, shown this once:\n\n${key}\n${inFile ? `\n(also in ${keysFile})\n` : ""}`,
  };
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

await runCommand(project);
