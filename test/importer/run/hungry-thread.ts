/** A thread's work for tests that takes all the memory there is. */
export function run(rounds: number): number {
  const all: object[][] = [];
  for (let i = 0; i < rounds; i++) all.push(Array.from({ length: 10_000 }, () => ({})));
  return all.length;
}
