import { z } from "zod";
import { coordinate, number } from "../input/fields.ts";
import { forwardFields } from "./forward-fields.ts";
import { language, layers } from "./geocode-fields.ts";
import { validateFields } from "./validation-fields.ts";

/** Parameters of a row of each kind. */
export const forwardRow = z.object({ ...forwardFields, limit: number({ min: 1, max: 10, integer: true }).default(1) });
export const reverseRow = z.object({ coordinates: coordinate(), layers: layers(), lang: language() });
export const validateRow = z.object(validateFields);
