import type { getSession } from "../../http/dashboard/sign-in.ts";
import type { Answer } from "./client.ts";

/** Who is signed in, and the projects that are open to them. */
export type Session = Answer<typeof getSession>;
export type SessionProject = Session["projects"][number];
