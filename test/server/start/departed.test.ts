import { describe, expect, it } from "vitest";
import { addClosedPeers } from "../../../src/server/start/socket/departed.ts";

const line = (local: string, remote: string, state: string) =>
  `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1 0 20 4 30 10 -1`;

/** The port 8787. */
const OWN = "2253";

describe("connections that clients have closed", () => {
  it("are those of the port in CLOSE_WAIT, by the client's address and port", () => {
    const text = [
      "  sl  local_address rem_address   st",
      line(`0100007F:${OWN}`, "0100007F:1267", "08"),
      line(`0100007F:${OWN}`, "0100007F:1268", "01"),
      line("0100007F:2254", "0100007F:1269", "08"),
      line(`0100007F:1270`, `0100007F:${OWN}`, "08"),
    ].join("\n");
    const peers = new Set<string>();
    addClosedPeers(text, 8787, peers);
    expect([...peers]).toEqual(["127.0.0.1:4711"]);
  });

  it("have addresses of IPv6, and of IPv4 within", () => {
    const peers = new Set<string>();
    const mapped = "0000000000000000FFFF0000010200C0";
    const six = "B80D0120000000000000000001000000";
    addClosedPeers(
      [line(`${mapped}:${OWN}`, `${mapped}:1267`, "08"), line(`${six}:${OWN}`, `${six}:1267`, "08")].join("\n"),
      8787,
      peers,
    );
    expect([...peers]).toEqual(["192.0.2.1:4711", "[2001:db8::1]:4711"]);
  });
});
