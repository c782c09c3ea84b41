/**
 * The orders in which a part is stored, each an object of its own: all events of a type lie together in one, all of a
 * user in the other, newest first.
 */
export const ORDERS = ["types", "users"] as const;
export type Order = (typeof ORDERS)[number];
