import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { dayOf, weekOfDay } from "../../core/routing/learn/weeks.ts";
import { ImportError } from "../../importer/common/import-error.ts";
import { type Budget, divide, parseMemory } from "../../importer/frame/budget.ts";
import { readArguments, UsageError, wholeNumber } from "../base/command.ts";
import { ROOT } from "../base/wrangler.ts";
import { GEODATA_CACHE } from "../geodata/geodata-bucket.ts";

export const USAGE = "npm run learn -- --name NAME [options]\nnpm run learn -- --all [options]";

/** Parsed arguments. */
export interface LearnArguments {
  help: boolean;
  /** The build; undefined: all that were imported here. */
  name: string | undefined;
  /** The first and last week that is used, numbered as in routing/learn/weeks.ts. */
  from: number;
  to: number;
  budget: Budget;
  dryRun: boolean;
  replaceSpeeds: boolean;
  remote: boolean;
  state: string;
  cache: string;
}

/** @throws UsageError */
export function learnArguments(): LearnArguments {
  const { values } = readArguments({
    options: {
      name: { type: "string" },
      all: { type: "boolean", default: false },
      from: { type: "string" },
      to: { type: "string" },
      memory: { type: "string" },
      threads: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      "replace-speeds": { type: "boolean", default: false },
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, ".wrangler/state") },
      cache: { type: "string", default: resolve(ROOT, GEODATA_CACHE) },
      help: { type: "boolean", default: false },
    },
  });
  if (!values.help && values.all === (values.name !== undefined)) throw new UsageError("Specify --name NAME or --all.");
  const from = values.from === undefined ? 0 : weekOf(values.from, "--from");
  const to = values.to === undefined ? Number.MAX_SAFE_INTEGER : weekOf(values.to, "--to");
  if (from > to) throw new UsageError("--from must not be after --to.");
  return {
    help: values.help,
    name: values.name,
    from,
    to,
    budget: budgetOf(values.memory, values.threads),
    dryRun: values["dry-run"],
    replaceSpeeds: values["replace-speeds"],
    remote: values.remote,
    state: resolve(values["persist-to"]),
    cache: resolve(values.cache),
  };
}

/** The week of a date. @throws UsageError */
function weekOf(text: string, option: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`${option} must be a date such as 2026-11-02, not "${text}".`);
  return weekOfDay(dayOf(time));
}

function budgetOf(memory: string | undefined, threads: string | undefined): Budget {
  try {
    return divide(
      memory === undefined ? undefined : parseMemory(memory),
      threads === undefined ? availableParallelism() : wholeNumber(threads, "--threads", { min: 1, max: 256 }),
    );
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error;
  }
}
