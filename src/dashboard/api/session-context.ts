import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Role, reaches } from "../../core/auth/role.ts";
import type { Session, SessionProject } from "./session.ts";

interface SessionState {
  session?: Session;
  /** The project of the address. */
  project?: SessionProject;
  signOut(): Promise<void>;
  /** The browser holds no session any more, however that came. */
  ended(): void;
  /** Asks again who is here, as after signing in. */
  again(): void;
}

export const SessionContext = createContext<SessionState>({
  signOut: async () => {},
  ended: () => {},
  again: () => {},
});

export const useSession = () => useContext(SessionContext);

/** May the viewer change what concerns the complete deployment? */
export function useIsOperator(): boolean {
  return useSession().session?.member.isOperator === true;
}

/** May the viewer do what needs this role? What they may not is shown, but off, with the reason. */
export function useMay(needed: Role): boolean {
  const { project } = useSession();
  return project !== undefined && reaches(project.role, needed);
}

export const whyNot = (needed: Role) => `Requires the ${needed} role or higher.`;
