/**
 * Builds need most memory of all that a start does: esbuild takes 380 MB unless it collects earlier, and is nearly as fast. Vite takes 60 MB
 * more with a second thread, and as long.
 */
export const FRUGAL = { GOGC: "10", GOMEMLIMIT: "96MiB", RAYON_NUM_THREADS: "1", TOKIO_WORKER_THREADS: "1" };
