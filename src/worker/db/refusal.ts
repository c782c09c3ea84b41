/** The error of a write that is rejected because its project is moving to another database (move-triggers.ts). */
export const REFUSAL = "the project is moving to another database";
