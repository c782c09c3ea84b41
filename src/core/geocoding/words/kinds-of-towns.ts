/** Words that say after the name of a town only that it is one: Quebec City, Yining City, Fuyang District. */
const KINDS = new Set("city town village municipality district".split(" "));

/** The same of a state: Tokushima Prefecture, Cebu Province. */
const KINDS_OF_STATES = new Set(
  "prefecture province state region governorate oblast department canton emirate".split(" "),
);

export const isKindOfState = (word: string): boolean => KINDS_OF_STATES.has(word);
export const isKindOfTown = (word: string): boolean => KINDS.has(word);
