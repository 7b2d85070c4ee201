/**
 * The seed of shuffled orders, from what stands for the respondent before and after it begins: the code of a personal
 * link, on all its devices, else the key of the start on this one. FNV-1a, 32 bits; never 0, which SurveyJS takes for none.
 */
export function orderSeed(isPersonal: boolean, code: string, startKey: string): number {
  let sum = 0x811c9dc5;
  for (const char of isPersonal ? code : startKey) sum = Math.imul(sum ^ char.codePointAt(0)!, 0x01000193);
  return sum >>> 0 || 1;
}
