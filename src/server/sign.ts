import { resolve } from "node:path";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { readDuration, signMapAddress } from "./base/sign-url.ts";
import { ROOT } from "./base/wrangler.ts";
import { readDevKeys } from "./project/dev-keys.ts";

const USAGE = `npm run sign -- ADDRESS [options]

  ADDRESS            /maps/static?… or its full URL; a key in it is removed`;

const HELP = `${USAGE}

Prints a signed URL that shows this map without a key, until it expires or the key is revoked. Sends no request to the server.
Uses the secret key in the environment variable GRATICULE_KEY, or else the test key of npm run dev.

  --for DURATION     validity: 90s, 30m, 12h, 7d (1h), 366d at most
  --keys-file FILE   the key file of npm run dev (.dev.keys.json)
  --json             one JSON value, for scripts (npm run -s sign -- …)`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      for: { type: "string", default: "1h" },
      "keys-file": { type: "string", default: resolve(ROOT, ".dev.keys.json") },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.length !== 1) throw new UsageError("Specify a URL, in quotes.");
  // A key on the command line would be visible in the shell history and the process list.
  const key =
    process.env.GRATICULE_KEY ?? process.env.GRATICULE_SECRET_KEY ?? readDevKeys(values["keys-file"])?.testSecret;
  if (!key) throw new CommandError("No secret key: set GRATICULE_KEY, or start npm run dev once.");
  const signed = await signMapAddress(key, positionals[0], readDuration(values.for), Date.now());
  console.log(values.json ? JSON.stringify(signed) : signed.url);
}

await runCommand(main, USAGE);
