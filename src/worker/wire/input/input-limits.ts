import { ApiError } from "../../platform/errors.ts";

/**
 * Size limits of a request, checked while it is read and before its key is looked up, so that a caller without a key costs
 * no more than the sent bytes.
 */

/** Parameters of a query string or a form. */
export const MAX_PARAMETERS = 1_000;
/** Characters of a parameter's name, as sent, and of a key in JSON. */
export const MAX_NAME_LENGTH = 512;
/** Levels of arrays and objects in JSON. */
export const MAX_DEPTH = 32;
/**
 * Items of an array, of a comma-separated list, and keys of an object: twice the longest list that any endpoint accepts, so that a
 * list just above an endpoint's own limit gets that limit's error.
 */
export const MAX_ITEMS = 20_000;

export function tooManyParameters(): ApiError {
  return new ApiError(
    400,
    `Too many parameters. A query string or form has at most ${MAX_PARAMETERS} parameters, with names of at most ${MAX_NAME_LENGTH} characters.`,
  );
}

export function tooComplex(): ApiError {
  return new ApiError(
    400,
    `The request body is too complex. JSON has at most ${MAX_DEPTH} levels, ${MAX_ITEMS} items in an array or object, and keys of at most ${MAX_NAME_LENGTH} characters.`,
  );
}

/** Whether a parsed JSON value is within the limits of depth, items and key length. Takes time proportional to its size. */
export function isWithinLimits(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS) return false;
    for (const item of value) {
      if (typeof item === "object" && !isWithinLimits(item, levels - 1)) return false;
    }
    return true;
  }
  let keys = 0;
  for (const key in value) {
    if (++keys > MAX_ITEMS || key.length > MAX_NAME_LENGTH) return false;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && !isWithinLimits(item, levels - 1)) return false;
  }
  return true;
}
