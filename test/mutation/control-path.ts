/** Asks the changed Worker: sets its mutant, and returns the marks since the last time. */
export const CONTROL_PATH = "/__mutation";
