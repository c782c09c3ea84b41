/** What this isolate asked of R2 since it started; benches read the difference. */
export const r2Reads = { count: 0, bytes: 0 };
