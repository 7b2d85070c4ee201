/** The size of an equally exact sample without weights (Kish, 1965). 0 for none. */
export function effectiveSize(groups: Iterable<{ weight: number; respondents: number }>): number {
  let sum = 0;
  let squares = 0;
  for (const { weight, respondents } of groups) {
    sum += weight * respondents;
    squares += weight ** 2 * respondents;
  }
  return squares === 0 ? 0 : sum ** 2 / squares;
}
