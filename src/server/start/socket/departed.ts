import { readFileSync } from "node:fs";

/** Columns of /proc/net/tcp (proc(5)): addresses and state in hexadecimal. */
const [LOCAL, REMOTE, STATE] = [1, 2, 3];
/** The other side has closed the connection, and this one has not. */
const CLOSE_WAIT = "08";
/** For how long a reading of the table is used [ms]: many requests ask, and with many connections it is large. */
const KEPT_MS = 250;

/** A service of the Worker: whether the client at `peer` ("192.0.2.1:4711") has closed its connection to the server. Only on Linux. */
export function departedService() {
  let port: number | undefined;
  let kept = { at: Number.NEGATIVE_INFINITY, peers: new Set<string>() };
  return {
    /** Until it is called, no connection counts as closed. */
    listensOn(own: number) {
      port = own;
    },
    async service(request: Request): Promise<Response> {
      const now = performance.now();
      if (port !== undefined && now - kept.at > KEPT_MS) kept = { at: now, peers: closedPeers(port) };
      const peer = new URL(request.url).searchParams.get("peer") ?? "";
      return new Response(kept.peers.has(canonical(peer)) ? "closed" : "open");
    },
  };
}

function closedPeers(port: number): Set<string> {
  const peers = new Set<string>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    try {
      addClosedPeers(readFileSync(file, "latin1"), port, peers);
    } catch {
      // Other systems have neither, and without IPv6 there is no tcp6.
    }
  }
  return peers;
}

/** @param text a table as in /proc/net/tcp */
export function addClosedPeers(text: string, port: number, peers: Set<string>): void {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const line of text.split("\n")) {
    if (!line.includes(end)) continue;
    const fields = line.trim().split(/\s+/);
    if (fields[LOCAL]?.endsWith(end) && fields[STATE] === CLOSE_WAIT) peers.add(endOf(fields[REMOTE]));
  }
}

/** "0100007F:1267" → "127.0.0.1:4711"; of IPv6, an address that contains one of IPv4 is the latter. */
function endOf(field: string): string {
  const [address, port] = field.split(":");
  // Each word of 32 bits is in the order of this machine's bytes.
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)),
  );
  const isMapped = bytes.length === 16 && address.startsWith("0000000000000000FFFF0000");
  const host =
    bytes.length === 4 || isMapped
      ? bytes.slice(-4).join(".")
      : `[${Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] << 8) | bytes[2 * i + 1]).toString(16)).join(":")}]`;
  return canonical(`${host}:${Number.parseInt(port, 16)}`);
}

/** One way to write each address. */
function canonical(end: string): string {
  const mapped = /^\[::ffff:(\d+\.\d+\.\d+\.\d+)\](:\d+)$/i.exec(end);
  const url = URL.parse(`http://${mapped ? mapped[1] + mapped[2] : end}`);
  return url?.host ?? end;
}
