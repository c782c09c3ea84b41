import { join } from "node:path";
import { runCommand } from "./base/command.ts";
import { importArguments, USAGE } from "./import/import-arguments.ts";
import { runInChild } from "./import/run-in-child.ts";

await runCommand(async () => {
  const { budget, json } = importArguments();
  const script = join(import.meta.dirname, "import/import-run.ts");
  await runInChild({ script, command: "npm run import", subject: "The import", budget, json });
}, USAGE);
