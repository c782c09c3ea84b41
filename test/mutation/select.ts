import { seededRandom } from "../bench/support/random.ts";
import { keyOf, type Mutation } from "./mutations.ts";

/**
 * Draws mutations: files get shares in proportion to their lines with rules, and a line gives a second one only when each line
 * of its file has given one. The same seed draws the same ones.
 */
export function selectMutations(files: readonly (readonly Mutation[])[], count: number, seed: number): Mutation[] {
  const shares = sharesOf(
    files.map((mutations) => linesOf(mutations).size),
    count,
  );
  return files.flatMap((mutations, index) => {
    const file = mutations[0]?.file ?? "";
    const random = seededRandom([...file].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed));
    const lines = shuffled([...linesOf(mutations).values()], random).map((line) => shuffled(line, random));
    const drawn: Mutation[] = [];
    for (let round = 0; drawn.length < Math.min(shares[index], mutations.length); round++)
      for (const line of lines) if (line.length > round && drawn.length < shares[index]) drawn.push(line[round]);
    return drawn.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).sort((a, b) => a.start - b.start);
  });
}

function linesOf(mutations: readonly Mutation[]): Map<number, Mutation[]> {
  return Map.groupBy(mutations, ({ line }) => line);
}

/** Whole shares of a count in proportion to weights; largest remainders are rounded up. */
function sharesOf(weights: readonly number[], count: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = weights.map((weight) => (weight * count) / Math.max(total, 1));
  const shares = exact.map(Math.floor);
  const open = Math.min(count, total) - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.map((_, index) => index).sort((a, b) => (exact[b] % 1) - (exact[a] % 1));
  for (const index of byRemainder.slice(0, Math.max(open, 0))) shares[index]++;
  return shares;
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
