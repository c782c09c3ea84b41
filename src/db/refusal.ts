/** What a write says that is refused because its project is just moving to another database (move-triggers.ts). */
export const REFUSAL = "the project is moving to another database";
