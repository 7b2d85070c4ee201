/** FNV-1a: the same on all devices of a personal link, else on this device. Never 0, SurveyJS's value for no seed. */
export function orderSeed(isPersonal: boolean, code: string, startKey: string): number {
  let sum = 0x811c9dc5;
  for (const char of isPersonal ? code : startKey) sum = Math.imul(sum ^ char.codePointAt(0)!, 0x01000193);
  return sum >>> 0 || 1;
}
