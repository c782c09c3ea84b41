/**
 * Builds need most memory of all that a start does: esbuild takes 380 MB unless it collects earlier, and is nearly as fast. Vite takes 60 MB
 * more with a second thread, and as long.
 */
export const FRUGAL = { GOGC: "10", GOMEMLIMIT: "96MiB", RAYON_NUM_THREADS: "1", TOKIO_WORKER_THREADS: "1" };

/**
 * For esbuild that keeps a bundle and watches its files: 170 MB are in use, and with a limit below that it collected garbage all the time,
 * a quarter of a core as long as the server ran.
 */
export const WATCHING = { ...FRUGAL, GOGC: "50", GOMEMLIMIT: "256MiB" };
