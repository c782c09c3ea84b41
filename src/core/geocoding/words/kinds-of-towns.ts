/** Words that say after the name of a town only that it is one: Quebec City, Yining City, Fuyang District. */
const KINDS = new Set("city town village municipality district".split(" "));

/** The same of a state, behind its name or before it: Tokushima Prefecture, Comunidad de Madrid, Estado de México. */
const KINDS_OF_STATES = new Set(
  "prefecture province state region governorate oblast department emirate comunidad estado provincia departamento departement region regiao regione wojewodztwo kraj judetul provinsi provincie bundesland land fylke".split(
    " ",
  ),
);

export const isKindOfState = (word: string): boolean => KINDS_OF_STATES.has(word);
export const isKindOfTown = (word: string): boolean => KINDS.has(word);
