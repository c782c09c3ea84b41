import { resolve } from "node:path";
import { ImportError } from "../importer/common/import-error.ts";
import type { Bucket } from "../importer/publish/bucket.ts";
import { removeBuilds, type StoredBuild, storedBuilds, verifyBuild } from "../importer/publish/builds.ts";
import { makeLive, readLiveList, readManifest, rollBack } from "../importer/publish/live-list.ts";
import { roadNeighbours, roadsWithoutHills } from "../importer/publish/road-neighbours.ts";
import { amount } from "../importer/report/reporter.ts";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { table } from "./base/table.ts";
import { ROOT } from "./base/wrangler.ts";
import { openGeodataBucket } from "./geodata/geodata-bucket.ts";

const USAGE = `npm run geodata -- COMMAND [options]

  list              list all builds, and which are live
  activate ID       make this build live, in place of the live build of the same name
  rollback NAME     make the previous build live
  verify ID         compare every object with its SHA-256
  remove ID         remove a build that is not live
  remove NAME       remove all builds of this name, including the live one`;

const HELP = `${USAGE}

A change takes effect within 10 s, without a restart.

  --remote          use the bucket at Cloudflare instead of the local one
  --persist-to DIR  the local state of npm run dev (.wrangler/state)
  --json            one JSON value, for scripts (npm run -s geodata -- …)`;

interface Answer {
  json: unknown;
  text: string;
}

type Command = (bucket: Bucket, word: string) => Promise<Answer>;

const commands: Record<string, { word?: string; run: Command }> = {
  list: { run: list },
  activate: {
    word: "ID",
    async run(bucket, id) {
      const manifest = await readManifest(bucket, id);
      await makeLive(bucket, manifest);
      return { json: { name: manifest.name, id }, text: `${manifest.name} is live as build ${id}.` };
    },
  },
  rollback: {
    word: "NAME",
    async run(bucket, name) {
      const id = await rollBack(bucket, name);
      return { json: { name, id }, text: `${name} is live as build ${id} again.` };
    },
  },
  verify: {
    word: "ID",
    async run(bucket, id) {
      const { objects, wrong } = await verifyBuild(bucket, id);
      if (wrong.length > 0) {
        throw new CommandError(`Build ${id} is damaged: ${wrong.slice(0, 5).join(", ")}. Remove and re-import it.`);
      }
      return { json: { id, objects }, text: `Build ${id} is intact: ${objects.toLocaleString("en-US")} objects.` };
    },
  },
  remove: {
    word: "ID or NAME",
    async run(bucket, which) {
      const removed = await removeBuilds(bucket, which);
      return { json: { removed }, text: `Removed: ${removed.join(", ") || "no builds, only the name"}` };
    },
  },
};

async function list(bucket: Bucket): Promise<Answer> {
  const builds = await storedBuilds(bucket);
  const inputsOf = async (id: string) => builds.find((build) => build.id === id)?.manifest?.inputs ?? [];
  const live = (await readLiveList(bucket)).list.builds;
  const cache = resolve(ROOT, ".geodata");
  const advice = await roadNeighbours(live, inputsOf, cache);
  const flat = await roadsWithoutHills(live, inputsOf, cache);
  if (builds.length === 0) return { json: [], text: `No builds in ${bucket.where} yet. See: npm run import -- --help` };
  const lines = builds.map((build) => [
    build.manifest?.name ?? "?",
    build.id,
    state(build),
    amount(sizeOf(build), "B"),
    dataDate(build),
    build.liveSince?.slice(0, 16).replace("T", " ") ?? "",
    Object.keys(build.manifest?.layers ?? {}).join(", "),
    build.manifest?.inputs.map(({ name }) => name).join(", ") ?? "",
  ]);
  const json = builds.map(({ manifest, ...build }) => {
    const meeting = build.live ? advice.filter(({ names }) => names.includes(manifest?.name ?? "")) : [];
    const hills = build.live ? flat.filter(({ names: [roads] }) => roads === manifest?.name) : [];
    return {
      ...build,
      ...manifest,
      ...(meeting.length > 0 && { roadNeighbours: meeting }),
      ...(hills.length > 0 && { roadsWithoutHills: hills }),
    };
  });
  const text = table(lines, ["name", "id", "state", "size", "data of", "live since (UTC)", "layers", "sources"]);
  return {
    json,
    text: [text, ...[...advice, ...flat].map((one) => `\n${one.text}`), "", ...sourceLines(builds)].join("\n"),
  };
}

/** How old a build's data is: of several extracts, the oldest. */
function dataDate({ manifest }: StoredBuild): string {
  return (
    manifest?.inputs
      .flatMap(({ timestamp }) => timestamp ?? [])
      .sort()[0]
      ?.slice(0, 10) ?? ""
  );
}

/** Prints the sources of the live builds, with licenses and required attributions. */
function sourceLines(builds: readonly StoredBuild[]): string[] {
  return builds.flatMap(({ live, manifest }) =>
    live && manifest
      ? [
          `Sources of ${manifest.name}:`,
          table(
            manifest.sources.map(({ name, licence, attribution, date, edition }) => [
              `  ${name}`,
              date?.slice(0, 10) ?? edition ?? "",
              licence,
              attribution ? `show: ${attribution}` : "",
            ]),
          ),
        ]
      : [],
  );
}

function state({ live, previous, manifest }: StoredBuild): string {
  if (!manifest) return "unfinished";
  return live ? "live" : previous ? "was live" : "not live";
}

function sizeOf({ manifest }: StoredBuild): number {
  return Object.values(manifest?.layers ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, ".wrangler/state") },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.length === 0) throw new UsageError("Specify a command.");
  const [name, ...words] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command "${name}".`);
  if (words.length !== (command.word ? 1 : 0)) {
    throw new UsageError(`Usage: npm run geodata -- ${[name, command.word].filter(Boolean).join(" ")}`);
  }
  const bucket = openGeodataBucket({ remote: values.remote, state: values["persist-to"] });
  try {
    const answer = await command.run(bucket, words[0] ?? "");
    console.log(values.json ? JSON.stringify(answer.json) : answer.text);
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message) : error;
  } finally {
    bucket.close();
  }
}

await runCommand(main, USAGE);
