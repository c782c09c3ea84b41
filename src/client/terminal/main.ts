#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { runTerminal } from "./terminal.ts";

const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());

// A reader such as `head` that has enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runTerminal(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  signal: controller.signal,
  ...(process.stdin.isTTY && process.stdout.isTTY && { ask }),
});

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal: controller.signal })).trim());
  } finally {
    lines.close();
  }
}
