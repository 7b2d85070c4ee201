import { pick, type Random } from "./random.ts";
import { cities, companies, countries, emailOf, firstNames, lastNames, phoneNumber } from "./words.ts";

export function samplePerson(random: Random) {
  const [firstName, lastName] = [pick(firstNames, random), pick(lastNames, random)];
  return {
    firstName,
    lastName,
    email: emailOf(firstName, lastName),
    phone: phoneNumber(random),
    company: pick(companies, random),
    addressLine1: `${1 + Math.floor(random() * 120)} Mill Lane`,
    addressLine2: `Floor ${1 + Math.floor(random() * 6)}`,
    city: pick(cities, random),
    region: "North",
    postalCode: String(10_000 + Math.floor(random() * 80_000)),
    country: pick(countries, random),
  };
}
