import { readFileSync } from "node:fs";

/** Columns of /proc/net/tcp (proc(5)): addresses, state, and "bytes to send:bytes to read" in hexadecimal. */
const [LOCAL, STATE, QUEUES] = [1, 3, 4];
const ESTABLISHED = "01";

export interface Connections {
  /** Connections to the port that both sides keep open. */
  open: number;
  /** Those of them with bytes that the server has not read. */
  unread: number;
}

/** The connections to a port of this machine, from Linux; undefined on other systems. */
export function connectionsTo(port: number): Connections | undefined {
  if (process.platform !== "linux") return undefined;
  const found = { open: 0, unread: 0 };
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    try {
      countConnections(readFileSync(file, "latin1"), port, found);
    } catch {
      // Without IPv6 there is no tcp6.
    }
  }
  return found;
}

/** @param text a table as in /proc/net/tcp */
export function countConnections(text: string, port: number, found: Connections): void {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const line of text.split("\n")) {
    if (!line.includes(end)) continue;
    const fields = line.trim().split(/\s+/);
    if (!fields[LOCAL]?.endsWith(end) || fields[STATE] !== ESTABLISHED) continue;
    found.open++;
    if (!fields[QUEUES].endsWith(":00000000")) found.unread++;
  }
}
