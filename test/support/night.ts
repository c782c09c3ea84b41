/** EVERY_EXTRACT=1, as the nightly workflow sets it: tests take all of their samples, towns and sizes. */
export const isNight = process.env.EVERY_EXTRACT !== undefined;
