/**
 * Builds need most memory of all that a start does: esbuild takes 380 MB unless it collects earlier, and is nearly as fast. Vite takes 60 MB
 * more with a second thread, and as long; 160 MB more unless its allocator (mimalloc) gives back at once what it does not use: 416 and 253 MB,
 * 2.4 and 4.0 s.
 */
export const FRUGAL = {
  ...{ GOGC: "10", GOMEMLIMIT: "96MiB", RAYON_NUM_THREADS: "1", TOKIO_WORKER_THREADS: "1" },
  ...{ MIMALLOC_PURGE_DELAY: "0", MIMALLOC_ARENA_EAGER_COMMIT: "0" },
};

/**
 * For esbuild that keeps a bundle and watches its files: 170 MB are in use, and with a limit below that it collected garbage all the time,
 * a quarter of a core as long as the server ran.
 */
export const WATCHING = { ...FRUGAL, GOGC: "50", GOMEMLIMIT: "256MiB" };
