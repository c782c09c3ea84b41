/** Metadata attached by customers to users, geofences and chains. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** Size of metadata as JSON in UTF-8 [bytes], also of all legs of a trip: every event has that of its user and trip. */
export const MAX_METADATA_BYTES = 16_384;
