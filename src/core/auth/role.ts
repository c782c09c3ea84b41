/** Roles of a member in a project; each includes the permissions of the previous ones. */
export const ROLES = ["read", "write", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Does the role include the required one? */
export function reaches(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The required role of a request if its endpoint doesn't specify one: `read` for read requests, otherwise `write`. */
export function usualRole(method: string): Role {
  return method === "GET" ? "read" : "write";
}

/**
 * May a member with role `own` assign the role `next` to a user with role `before` (absent: none yet)? Admins manage
 * all members except owners; only owners add, change and remove owners.
 */
export function mayGive(own: Role, before: Role | undefined, next: Role | undefined): boolean {
  const needed = before === "owner" || next === "owner" ? "owner" : "admin";
  return reaches(own, needed);
}
