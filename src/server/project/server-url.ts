import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the server of a state was last reached, for links that a command prints. */
const fileIn = (state: string): string => join(state, "server-url");

export function writeServerUrl(state: string, url: string): void {
  writeFileSync(fileIn(state), `${url}\n`, { mode: 0o600 });
}

export function readServerUrl(state: string): string | undefined {
  const file = fileIn(state);
  const text = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return URL.canParse(text) ? text : undefined;
}
