import { describe, expect, it } from "vitest";
import { type Connections, countConnections } from "../../../src/server/start/socket/connections.ts";

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2253 00000000:0000 0A 00000000:00000003 00:00000000 00000000  1000        0 1 1 0000000000000000 100 0 0 10 0
   1: 0100007F:2253 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:2253 0100007F:D432 01 00000000:000001F4 00:00000000 00000000  1000        0 3 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:D431 0100007F:2253 01 00000000:00000009 00:00000000 00000000  1000        0 4 1 0000000000000000 20 4 30 10 -1
   4: 0100007F:2253 0100007F:D433 08 00000000:00000001 00:00000000 00000000  1000        0 5 1 0000000000000000 20 4 30 10 -1
`;

const count = (port: number) => {
  const found: Connections = { open: 0, unread: [] };
  countConnections(TABLE, port, found);
  return found;
};

describe("the connections to a port, as Linux lists them", () => {
  it("counts those that both sides keep open, and those with unread bytes; not the listening socket, nor the clients' ends", () => {
    expect(count(0x2253)).toEqual({ open: 2, unread: ["3"] });
    expect(count(0x225)).toEqual({ open: 0, unread: [] });
  });
});
