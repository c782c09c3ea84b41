/** The version of package.json; `npm run release` changes both, and a test compares them. */
export const VERSION = "0.5.0";
