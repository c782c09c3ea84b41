/** Set by `npm start`, which holds the other end of the standard input: a process of backups ends with its server. */
export const OF_SERVER = "GRATICULE_BACKUPS_OF_SERVER";
