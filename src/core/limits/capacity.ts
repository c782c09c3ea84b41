/**
 * How much one object, one isolate and one scheduled run takes on: what bounds a single project, as `npm run cost -- --scale` reports it
 * (core/costs/scale). Each is used where it holds.
 */

/**
 * Objects that write for the trackers: the more trackers share one, the larger its batches. It is billed as long as it is awake, which is
 * always. DATABASE_WRITERS overrides the usual number.
 */
export const WRITERS = { usual: 1, most: 16 } as const;
/** How long the first write of a group waits for others [ms]. */
export const GATHER_MS = 150;

/** The list of live builds is refreshed from this age on [ms]. */
export const LIVE_LIST_MS = 5_000;
/** The same of the epoch of a project's geofences, read from its database [ms]. */
export const FENCE_EPOCH_MS = 700;
/** How often an isolate writes a busy project's counts: with two seconds they would be a quarter of all rows that its tracks write [ms]. */
export const USAGE_MS = 25_000;
/** What other devices of a user got is read again after this time, for notifications that the phone shows itself [ms]. */
export const COPIED_MS = 60_000;

/** Days that events stay in D1, unless ARCHIVE_AFTER_DAYS is set. */
export const HOT_DAYS = 7;
/** Events that an hourly run moves to the archive. */
export const ARCHIVED_AN_HOUR = 400_000;
/** Silent devices that an hourly run asks. A million occasional users go silent about 1,500 times an hour (`npm run bench -- cost`). */
export const SILENT_AN_HOUR = 3_000;
/** Users that an hourly run deletes after their retention time. */
export const FORGOTTEN_AN_HOUR = 200;
/** Updates that an hourly run learns speeds from. */
export const LEARNED_AN_HOUR = 200_000;
/** Moving users whose last hour is read for live traffic each minute. */
export const LIVE_TRAFFIC_USERS = 250;

/**
 * Updates of a page of a user's history, and pages: 32,000 updates, about 2 MB. The newest page is rewritten with every update.
 */
export const HISTORY = { pageUpdates: 32, pages: 1_000 } as const;
