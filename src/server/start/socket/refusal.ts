import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** A response of the TLS front itself, in the shape of all errors (src/worker/platform/errors.ts). */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A response that ends its connection: what follows on it was not read, or cannot be. */
export function refusal(status: number, message: string, more: Record<string, string> = {}): Refusal {
  const id = randomUUID();
  const body = JSON.stringify({ meta: { code: status, message } });
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": id,
      "x-radar-request-id": id,
      "access-control-allow-origin": "*",
      ...more,
      connection: "close",
    },
    body,
  };
}

/** The status line and headers as they are sent. @param headers names and values in turn */
export function headText(status: number, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${text}\r\n`;
}

/** How long a client may take to read a refusal and to close its side [ms]. */
const LEAVE_WITHIN_MS = 5000;

/** Sends a refusal on a connection for which Node has no response object. */
export function refuseOn(client: Duplex, { status, headers, body }: Refusal): void {
  client.once("error", () => client.destroy());
  client.end(headText(status, Object.entries(headers).flat()) + body);
  dismiss(client);
}

/** Reads and drops what a client still sends: closing a connection with unread bytes would reset it before the response is read. */
export function dismiss(client: Duplex): void {
  client.resume();
  const late = setTimeout(() => client.destroy(), LEAVE_WITHIN_MS);
  client.once("close", () => clearTimeout(late));
}
