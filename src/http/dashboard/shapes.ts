import { z } from "zod";
import { ROLES } from "../../auth/role.ts";

/** The chapter of the reference page that holds what the dashboard alone calls. */
export const CHAPTER = "Dashboard";

export const roleShape = z.enum(ROLES);
