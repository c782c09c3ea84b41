import type { Report } from "./bench.ts";
import { measureBeside, reportBeside } from "./support/slices.ts";
import { startPlatform } from "./worker.ts";

export const name = "mcp";
export const summary = "A tool call of POST /mcp against the same request to its endpoint: what the protocol costs.";

const NEAR = { latitude: 48.99, longitude: -111.2 };
const ENDPOINT = `/v1/geocode/reverse?coordinates=${NEAR.latitude},${NEAR.longitude}&layers=fine,coarse`;
/** The envelope that clients of 2026-07-28 send with each request. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export async function run(report: Report): Promise<void> {
  const platform = await startPlatform({ unlimited: ["reverseGeocode"] });
  const Authorization = `Bearer ${platform.keys.testPublishable}`;
  const addressOf = (n: number) => `198.18.${(n >> 8) & 255}.${n & 255}`;
  const endpoint = (n: number) => ({ path: ENDPOINT, headers: { Authorization, "x-forwarded-for": addressOf(n) } });
  const tool = (modern: boolean) => (n: number) => ({
    method: "POST",
    path: "/mcp",
    headers: {
      Authorization,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "x-forwarded-for": addressOf(n),
      "mcp-protocol-version": modern ? "2026-07-28" : "2025-11-25",
      ...(modern && { "mcp-method": "tools/call", "mcp-name": "find_place" }),
    },
    body: {
      jsonrpc: "2.0",
      id: n + 1,
      method: "tools/call",
      params: { name: "find_place", arguments: NEAR, ...(modern && { _meta: ENVELOPE }) },
    },
  });
  try {
    for (const [title, modern] of [
      ["tool of 2025", false],
      ["tool of 2026", true],
    ] as const) {
      const sides = [endpoint, tool(modern)].map((make) => ({ worker: platform, make }));
      reportBeside(report, title, await measureBeside(sides[0], sides[1], { parallel: 1 }));
    }
  } finally {
    await platform.stop();
  }
}
