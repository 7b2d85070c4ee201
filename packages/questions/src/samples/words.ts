import { pick, type Random } from "./random.ts";

export const firstNames = ["Mira", "Jonas", "Aylin", "Tom", "Priya", "Lena", "Mateo", "Noor", "Sam", "Chiara"] as const;
export const lastNames = ["Berg", "Okoye", "Lind", "Costa", "Haddad", "Novak", "Meyer", "Sato", "Quinn"] as const;
export const cities = ["Lisbon", "Leipzig", "Porto", "Gdansk", "Bergen", "Utrecht", "Cork"] as const;
export const countries = ["Portugal", "Germany", "Poland", "Norway", "Netherlands", "Ireland"] as const;
export const companies = ["Northwind Bakery", "Lind & Sons", "Harbour Studio", "Green Loop"] as const;

const remarks = [
  "It was easy to find what I needed.",
  "The staff took their time.",
  "I waited longer than I expected.",
  "All in all a good experience.",
  "Please keep it as simple as it is.",
  "The prices went up again.",
  "I would like more evening hours.",
  "Nothing to add.",
  "My order came two days late.",
  "Friendly people and clear answers.",
  "The form asks for too much.",
  "I will come back.",
] as const;

export function sampleRemark(least: number, most: number, random: Random): string {
  let text: string = pick(remarks, random);
  while (text.length < least) text += ` ${pick(remarks, random)}`;
  // A space at the end would make the visible text one character shorter.
  return text.slice(0, most).replace(/ $/, ".");
}

/** Returns an address below example.com, which is reserved for examples. */
export function emailOf(firstName: string, lastName: string): string {
  return `${firstName}.${lastName}@example.com`.toLowerCase();
}

/** Returns a number that is reserved for fiction. */
export function phoneNumber(random: Random): string {
  return `+1 202 555 01${Math.floor(random() * 90) + 10}`;
}

/** Returns short texts of many shapes, one of which may match a question's pattern. */
export function patternCandidates(random: Random): string[] {
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCodePoint(65 + Math.floor(random() * 26))).join("");
  const name = pick(firstNames, random);
  const numbers = Array.from({ length: 12 }, (_, index) => digits(index + 1));
  const words = Array.from({ length: 8 }, (_, index) => letters(index + 1));
  const mixed = words
    .slice(0, 4)
    .flatMap((word) => numbers.slice(0, 8).flatMap((code) => [word + code, `${word}-${code}`]));
  return [name, name.toLowerCase(), ...numbers, ...words, ...words.map((word) => word.toLowerCase()), ...mixed];
}
