/** R2 reads of this isolate since it started; benchmarks read the difference. */
export const r2Reads = { count: 0, bytes: 0 };
