/** 24 hex digits: the time in seconds and 64 random bits. Ids sort by age. */
export function newId(now: number): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  let id = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, "0");
  for (const byte of random) id += byte.toString(16).padStart(2, "0");
  return id;
}
