/** What a member may do in a project, each role also what those before it may. */
export const ROLES = ["read", "write", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Does the role reach as far as the one that is needed? */
export function reaches(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The role a request needs where its endpoint does not say: looking needs `read`, everything else `write`. */
export function usualRole(method: string): Role {
  return method === "GET" ? "read" : "write";
}

/**
 * May a member with role `own` give somebody the role `next` who has `before` (absent: none yet)? Admins look after all
 * members but owners; owners are made, changed and removed by owners.
 */
export function mayGive(own: Role, before: Role | undefined, next: Role | undefined): boolean {
  const needed = before === "owner" || next === "owner" ? "owner" : "admin";
  return reaches(own, needed);
}
