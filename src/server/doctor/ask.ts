import type { Answer, Ask } from "./checks.ts";

/** How long a request may take [ms]. */
const PATIENCE_MS = 30_000;

/** Asks a deployment with a key. */
export function askerOf(url: string, key: string): Ask {
  return async (method, path, json): Promise<Answer> => {
    const sent = Date.now();
    const response = await fetch(url + path, {
      method,
      headers: { authorization: key, ...(json !== undefined && { "content-type": "application/json" }) },
      body: json === undefined ? undefined : JSON.stringify(json),
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const came = Date.now();
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      sent,
      came,
    };
  };
}
