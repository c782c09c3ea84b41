import type { getSession } from "../../worker/http/dashboard/sign-in.ts";
import type { Answer } from "./client.ts";

/** The signed-in member, and their projects. */
export type Session = Answer<typeof getSession>;
export type SessionProject = Session["projects"][number];
