/** Counts that describe how a layer is stored: useful to developers (they are in the manifest), not to an operator. */
const OF_STORAGE = /^(objects of |tiles$|different tiles$|regions: |directed edges$)/;
/** Counts of what was left out, for which there may be a reason in the data. */
const PASSED_OVER = /^(left out: |skipped: |nodes missing |relations (cut|that)|roads without|lines )/;

export const isPassedOver = (count: string): boolean => PASSED_OVER.test(count);

/** Whether a count of a layer is of what it contains. */
export const isContent = (count: string): boolean => !OF_STORAGE.test(count) && !PASSED_OVER.test(count);
