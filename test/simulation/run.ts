import { CommandError, readArguments, runCommand } from "../../src/cli/command.ts";
import { type DayReport, simulateDay } from "./day.ts";

const SHOWN = 20;

/** `npm run test:day -- [--devices 1000] [--seed 9]`: a simulated day, checked against a plain account of it. */
async function day(): Promise<void> {
  const { values } = readArguments({
    options: { devices: { type: "string", default: "1000" }, seed: { type: "string", default: "9" } },
  });
  const [devices, seed] = [values.devices, values.seed].map(Number);
  if (!(Number.isInteger(devices) && devices > 0)) throw new CommandError("--devices is a whole number above 0.");
  const began = performance.now();
  let interrupted = false;
  process.once("SIGINT", () => {
    interrupted = true;
  });
  let told = began;
  const goesOn = (soFar: DayReport) => {
    const now = performance.now();
    if (now - told > 10_000) {
      told = now;
      const left = (((now - began) / soFar.devices) * (devices - soFar.devices)) / 60_000;
      const found = `${soFar.events} events, ${soFar.differences.length} differences`;
      console.error(`${soFar.devices} of ${devices} devices, ${found}, ${left.toFixed(0)} minutes left`);
    }
    return !interrupted;
  };
  const { devices: seen, updates, events, byType, differences } = await simulateDay(devices, seed, goesOn);
  for (const [type, count] of Object.entries(byType).sort()) console.log(`${String(count).padStart(9)} ${type}`);
  for (const difference of differences.slice(0, SHOWN)) console.log(difference);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${seen} devices, ${updates} updates, ${events} events in ${seconds} s: ${differences.length} differences`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

await runCommand(day);
