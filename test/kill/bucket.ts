import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../src/server/geodata/geodata-bucket.ts";
import { send } from "../bench/support/load.ts";

/** What the bucket says to the list of events. Every list is empty when all is well. */
export interface BucketAudit {
  lines: number;
  /** Events that are listed and have no line. */
  lost: string[];
  /** Events with more than one line. */
  doubled: string[];
  /** Lines of events that are not listed. */
  invented: string[];
}

/** Has the server write every event into its own bucket, second by second. */
export async function gatherInBucket(server: { url: string }, key: string) {
  const headers = { authorization: key };
  const body = { type: "bucket", settings: { seconds: 1 } };
  const { status, text } = await send(server, { method: "POST", path: "/v1/webhooks", headers, body });
  if (status !== 200) throw new Error(text);
  const path = `/v1/webhooks/${JSON.parse(text).webhook._id}/deliveries?limit=1`;
  return {
    /** Events that are not written yet. */
    async waiting(now: { url: string }): Promise<number> {
      return JSON.parse((await send(now, { path, headers })).text).waiting;
    },
  };
}

/** @param stored the _ids of all events that are listed */
export async function auditBucket(state: string, stored: ReadonlySet<string>): Promise<BucketAudit> {
  const bucket = openLocalBucket(state, geodataBucketName());
  const seen = new Map<string, number>();
  try {
    for (const key of (await bucket.list("sinks/")).keys()) {
      const text = new TextDecoder().decode((await bucket.get(key))?.bytes);
      for (const line of text.trimEnd().split("\n")) {
        const id = JSON.parse(line).event._id as string;
        seen.set(id, (seen.get(id) ?? 0) + 1);
      }
    }
  } finally {
    bucket.close();
  }
  return {
    lines: [...seen.values()].reduce((sum, times) => sum + times, 0),
    lost: [...stored].filter((id) => !seen.has(id)),
    doubled: [...seen].filter(([, times]) => times > 1).map(([id]) => id),
    invented: [...seen.keys()].filter((id) => !stored.has(id)),
  };
}
