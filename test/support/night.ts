/** EVERY_EXTRACT=1, as the nightly workflow sets it: tests take all of their samples, towns and sizes. */
export const isNight = process.env.EVERY_EXTRACT !== undefined;

/** A number of samples: `day` in an ordinary run, `night` with EVERY_EXTRACT=1. */
export const samples = (day: number, night: number): number => (isNight ? night : day);
