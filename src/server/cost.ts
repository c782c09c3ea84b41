import { readFileSync } from "node:fs";
import { CALL_CLASSES, classOf } from "../core/costs/call-classes.ts";
import { costOf, MIX_ENDPOINTS, type Mix, readMix } from "../core/costs/mix.ts";
import { PRICES } from "../core/costs/prices.ts";
import { LARGE_PROJECT, readScale, type ScaleProject } from "../core/costs/scale/project.ts";
import { scaleOf } from "../core/costs/scale/scale.ts";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { table } from "./base/table.ts";
import { scaleText } from "./cost/scale-text.ts";

const USAGE = `npm run cost -- --mix FILE [options]
npm run cost -- --scale FILE [options]

  --mix FILE         calls of a month as JSON; - reads standard input
  --scale FILE       one large project as JSON; - reads standard input`;

const HELP = `${USAGE}

--mix prints what a month of these calls costs on Cloudflare's paid plan, item by item. The page Costs of the dashboard writes such a file
from the real usage of a project. --scale prints calls, bytes, objects and dollars of one large project part by part, and which limit it
reaches first (docs/scale.md). No request is sent.

  --endpoints        lists the endpoints, with the CPU of one call
  --json             one JSON value, for scripts (npm run -s cost -- …)

The file of --mix, of which every field is optional:

  {
    "calls": { "track": 100000000, "forwardGeocode": 2000000, "directions": 500000 },
    "users": 1000000,      stored users
    "events": 9000000,     events of the month
    "geodataGB": 5,        geodata in R2
    "logShare": 0.2,       head_sampling_rate of wrangler.toml
    "cpu": { "directions": 9 }   CPU of a call [ms], where you measured another one
  }

The file of --scale, with the values of absent fields (sizes in proportion to users):

${JSON.stringify(LARGE_PROJECT, undefined, 2).replace(/^/gm, "  ")}`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      mix: { type: "string" },
      scale: { type: "string" },
      endpoints: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (values.endpoints) return console.log(endpointTable(values.json));
  if (positionals.length > 0) throw new UsageError(`Unknown argument "${positionals[0]}".`);
  if (values.scale && values.mix) throw new UsageError("Specify --mix or --scale, not both.");
  if (values.scale) return console.log(scaleTable(read(values.scale, readScale), values.json));
  if (!values.mix) throw new UsageError("Specify --mix FILE or --scale FILE.");
  const mix: Mix = read(values.mix, readMix);
  const cost = costOf(mix);
  if (values.json) return console.log(JSON.stringify({ mix, ...cost }));
  const lines = Object.entries(cost.items).map(([item, dollars]) => {
    const { unit } = PRICES[item as keyof typeof PRICES];
    return [unit, count(cost.usage[item as keyof typeof PRICES]), dollars.toFixed(2)];
  });
  console.log(table([...lines, ["a month", "", cost.total.toFixed(2)]], ["item", "usage", "$"]));
  console.log(
    `\nPrices of ${PRICES.requests.read}, https://developers.cloudflare.com/${PRICES.requests.page} and the pages of each product.`,
  );
}

function read<T>(path: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(path === "-" ? 0 : path, "utf8"));
  } catch (error) {
    throw new CommandError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function scaleTable(project: ScaleProject, json: boolean): string {
  const scale = scaleOf(project);
  return json ? JSON.stringify({ project, ...scale }) : scaleText(project, scale);
}

function endpointTable(json: boolean): string {
  const rows = MIX_ENDPOINTS.map((endpoint) => ({
    endpoint,
    class: classOf(endpoint),
    cpu: CALL_CLASSES[classOf(endpoint)].cpu,
  }));
  if (json) return JSON.stringify(rows);
  return table(
    rows.map((row) => [row.endpoint, row.class, String(row.cpu)]),
    ["endpoint", "class", "CPU [ms]"],
  );
}

const count = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 });

await runCommand(main, USAGE);
