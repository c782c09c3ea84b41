/**
 * The header in which the TLS front of `npm start` tells the Worker the peer of a connection: "SECRET 192.0.2.1:4711". The secret is new at each
 * start, so that nobody else can, not even another process on the machine.
 */
export const FRONT_HEADER = "x-graticule-front";

/** The longest URL [characters]. workerd refuses more than 65,535 before the Worker sees them, without JSON. */
export const MAX_URL = 60_000;
