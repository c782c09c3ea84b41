import { CommandError } from "../base/command.ts";

export interface RecoveredObject {
  /** "trackers 14:phone-1" */
  object: string;
  bookmark?: string;
  undo?: string;
  error?: string;
}

interface Page {
  supported: boolean;
  databases: string[];
  objects: RecoveredObject[];
  next?: string;
}

interface Asked {
  url: string;
  token: string;
  at: string;
  restore: boolean;
  /** "DB_2 [5,14,\"…\"]" */
  after?: string | undefined;
}

const TIMEOUT_MS = 60_000;
const TRIES = 3;

/** Pages of all objects of all databases; `cursor` resumes after the page. @throws CommandError */
export async function* eachPage(asked: Asked): AsyncGenerator<{ objects: RecoveredObject[]; cursor?: string }> {
  const [begin, ...rest] = (asked.after ?? "DB").split(" ");
  let after: string | undefined = rest.join(" ") || undefined;
  for (let databases = [begin]; databases.length > 0; after = undefined) {
    const [database] = databases;
    for (;;) {
      const page = await ask(asked, database, after);
      if (!page.supported)
        throw new CommandError(
          "This server has no point-in-time recovery of Durable Objects: it exists on Cloudflare only. Use npm run restore.",
        );
      after = page.next;
      const following = page.databases.slice(page.databases.indexOf(database) + 1);
      const cursor = after === undefined ? following[0] : `${database} ${after}`;
      yield { objects: page.objects, ...(cursor !== undefined && { cursor }) };
      if (after !== undefined) continue;
      databases = following;
      break;
    }
  }
}

async function ask({ url, token, at, restore }: Asked, database: string, after: string | undefined): Promise<Page> {
  const body = JSON.stringify({ at, action: restore ? "restore" : "report", database, after });
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(new URL("/v1/recovery", url), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = (await response.json()) as { meta?: { message?: string }; recovery?: Page };
      if (answer.recovery) return answer.recovery;
      if (response.status < 500 && response.status !== 429)
        throw new CommandError(
          response.status === 404
            ? `${url} has no RECOVERY_TOKEN: npx wrangler secret put RECOVERY_TOKEN`
            : `${url}: ${answer.meta?.message ?? `status ${response.status}`}`,
        );
      throw new Error(`status ${response.status}`);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      if (tries === TRIES)
        throw new CommandError(
          `${url}: ${error instanceof Error ? error.message : String(error)}. To resume: --after '${after === undefined ? database : `${database} ${after}`}'`,
        );
      await new Promise((wake) => setTimeout(wake, 1_000 * tries));
    }
  }
}
