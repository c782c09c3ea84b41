/** Words that say after the name of a town only that it is one: Quebec City, Yining City, Fuyang District. */
const KINDS = new Set("city town village municipality district".split(" "));

export const isKindOfTown = (word: string): boolean => KINDS.has(word);
