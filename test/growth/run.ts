import { parseArgs } from "node:util";
import { runCommand } from "../../src/server/base/command.ts";
import { startFuzzPlatform } from "../fuzz/platform.ts";
import { growth } from "./growth.ts";

const SHOWN = 25;

/** `npm run test:growth -- [--only track,match] [--fields "query string"] [--parts]`: hostile texts, and lists, dictionaries and areas of growing size, to every field of every endpoint. */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: "string" }, fields: { type: "string" }, parts: { type: "boolean" } },
  });
  const platform = await startFuzzPlatform();
  try {
    const [only, named] = [values.only?.split(","), values.fields?.split(",")];
    const options = { only, fields: named, parts: values.parts, report: console.log };
    const { fields, requests, worst, faults, unreached } = await growth(platform, options);
    console.log(
      `\n${requests} requests to ${fields} fields. CPU of the most expensive texts [s], and at half their length:`,
    );
    for (const { name, full, half } of worst.slice(0, SHOWN))
      console.log(`  ${full.toFixed(2)}  ${half?.toFixed(2) ?? "    "}  ${name}`);
    console.log(`${unreached.length} texts were too long at every length`);
    for (const name of unreached) console.log(`  ${name}`);
    console.log(`${faults.length} faults`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await platform.stop();
  }
}

await runCommand(run);
