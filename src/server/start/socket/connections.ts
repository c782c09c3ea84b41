import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Columns of /proc/net/tcp (proc(5)): addresses, state, "bytes to send:bytes to read" in hexadecimal, and the socket's number. */
const [LOCAL, STATE, QUEUES, INODE] = [1, 3, 4, 9];
const ESTABLISHED = "01";

export interface Connections {
  /** Connections to the port that both sides keep open. */
  open: number;
  /** Those of them with bytes that the server has not read: the numbers of their sockets, 0 of one that is not accepted. */
  unread: string[];
}

/** The connections to a port of this machine, from Linux; undefined on other systems. */
export function connectionsTo(port: number): Connections | undefined {
  if (process.platform !== "linux") return undefined;
  const found: Connections = { open: 0, unread: [] };
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
    if (!fields[QUEUES].endsWith(":00000000")) found.unread.push(fields[INODE]);
  }
}

/** The numbers of the sockets of this process. */
export function ownSockets(): Set<string> {
  const found = new Set<string>();
  for (const fd of readdirSync("/proc/self/fd")) {
    try {
      const [, number] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`)) ?? [];
      if (number) found.add(number);
    } catch {
      // It was closed meanwhile.
    }
  }
  return found;
}
