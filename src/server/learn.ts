import { join } from "node:path";
import { runCommand } from "./base/command.ts";
import { runInChild } from "./import/run-in-child.ts";
import { learnArguments, USAGE } from "./learn/learn-arguments.ts";

await runCommand(async () => {
  const { budget } = learnArguments();
  const script = join(import.meta.dirname, "learn/learn-run.ts");
  await runInChild({ script, command: "npm run learn", subject: "Learning", budget, json: false });
}, USAGE);
