/**
 * The seed of shuffled orders. It must not change when the respondent begins: the code of a personal link, which all
 * devices share, otherwise this device's start key. FNV-1a, 32 bits; never 0, which SurveyJS treats as no seed.
 */
export function orderSeed(isPersonal: boolean, code: string, startKey: string): number {
  let sum = 0x811c9dc5;
  for (const char of isPersonal ? code : startKey) sum = Math.imul(sum ^ char.codePointAt(0)!, 0x01000193);
  return sum >>> 0 || 1;
}
