/**
 * Random numbers from [0, 1) that are the same for the same seed: sfc32 (Chris Doty-Humphrey, 2010), 32 bits per number.
 * Every random case of a bench comes from here, so that two runs measure the same thing.
 */
export function seededRandom(seed: number): () => number {
  let a = seed | 0;
  let b = 0x9e3779b9;
  let c = 0x243f6a88;
  let counter = 1;
  const next = () => {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
