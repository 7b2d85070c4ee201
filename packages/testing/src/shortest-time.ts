/**
 * Takes a time until it is within the limit, five times at most, and returns the shortest. A busy machine delays one
 * measurement or another; what the product itself delays is slow each time.
 */
export async function shortestTime(
  measureMs: () => Promise<number>,
  { withinMs }: { withinMs: number },
): Promise<number> {
  let shortest = Infinity;
  for (let tries = 0; tries < 5 && shortest >= withinMs; tries += 1) shortest = Math.min(shortest, await measureMs());
  return shortest;
}
