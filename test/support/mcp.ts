import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { inject } from "vitest";

/** The official client, connected to the Worker under test. */

/** The revisions of the protocol: with the handshake of 2025, or the one of 2026 without. */
export type Revision = "2025" | "2026";

export const REVISIONS: readonly Revision[] = ["2025", "2026"];

export async function connect(key: string, revision: Revision = "2026", address = "10.38.0.1"): Promise<Client> {
  const versionNegotiation: ClientOptions["versionNegotiation"] =
    revision === "2026" ? { mode: { pin: "2026-07-28" } } : { mode: "legacy" };
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation });
  const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": address };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${inject("baseUrl")}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

interface Content {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

export interface Called {
  isError: boolean;
  /** The sentence before the data, or the error. */
  says: string;
  text: string;
  // Data of tools is looked into field by field.
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read
  data: any;
  content: Content[];
}

/** Calls a tool, and reads its data. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { content, isError = false } = (await client.callTool({ name, arguments: args })) as {
    content: Content[];
    isError?: boolean;
  };
  const text = content[0]?.text ?? "";
  const [, json] = /<data>(.*)<\/data>$/s.exec(text) ?? [];
  return { isError, says: text.split("\n")[0], text, data: json === undefined ? undefined : JSON.parse(json), content };
}
