#!/usr/bin/env node
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
});
