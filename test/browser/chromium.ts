import { existsSync } from "node:fs";

/** Debian's Chromium, or the one that CHROMIUM names; undefined where there is none. */
export const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium"].find((path) => path && existsSync(path));

/** Two cores full of other tests starve a browser for seconds at times: what fails is tried once more. With EVERY_LOOK=1, as at night, every failure counts. */
export const AGAIN = { retry: process.env.EVERY_LOOK ? 0 : 1 } as const;
