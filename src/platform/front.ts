/**
 * The header in which the TLS front of `npm start` tells the Worker the peer of a connection: "SECRET 192.0.2.1:4711". The secret is new at each
 * start, so that nobody else can, not even another process on the machine.
 */
export const FRONT_HEADER = "x-graticule-front";
