/** Scopes that a query over several scopes leaves out. */
export type Except = ReadonlySet<number>;

/** Their list as a bound value. */
export const listOf = (except: Except): string => JSON.stringify([...except]);

/** The condition that a scope is not in the list of a parameter, such as "?3". */
export const notListed = (scope: string, parameter: string): string =>
  `${scope} NOT IN (SELECT value FROM json_each(${parameter}))`;

/** The scopes of a database's projects that are not in the list of a parameter. */
export const scopesOfProjects = (parameter: string): string =>
  `(SELECT scope FROM (SELECT id * 2 AS scope FROM project UNION ALL SELECT id * 2 + 1 FROM project)
    WHERE ${notListed("scope", parameter)})`;
