import { z } from "zod";
import { ROLES } from "../../../core/auth/role.ts";

/** The chapter of the reference page for endpoints that only the dashboard calls. */
export const CHAPTER = "Dashboard";

export const roleShape = z.enum(ROLES);
