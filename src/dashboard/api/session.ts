/** The dashboard's own endpoints, below /dashboard/api. */

export const ROLES = ["read", "write", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export interface SessionProject {
  _id: string;
  name: string;
  role: Role;
  disabled?: boolean;
  monthlyQuota?: number;
}

export interface Session {
  member: { _id: string; email: string };
  projects: SessionProject[];
  version?: string;
}

/** Has someone of this role at least the other one's rights? */
export function mayAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
