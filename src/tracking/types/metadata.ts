/** What customers attach to users, geofences, chains. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;
