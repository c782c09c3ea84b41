/**
 * The orders in which a part is stored, each in a separate object: one groups all events of a type, the other all
 * events of a user, newest first.
 */
export const ORDERS = ["types", "users"] as const;
export type Order = (typeof ORDERS)[number];
