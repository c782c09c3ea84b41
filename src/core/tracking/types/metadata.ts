/** Metadata attached by customers to users, geofences and chains. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;
