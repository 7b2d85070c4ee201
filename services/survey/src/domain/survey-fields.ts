import { type Fault, isBlank, isLanguageTag, isStorable, unstorable } from "@canvass/inputs";

/** What a survey says about itself, beside its settings and questions (contract 6.1). */
export interface SurveyFields {
  name: string;
  description: string;
  language: string;
  /** 1 survey, 2 form, 3 poll, 4 evaluation. */
  type: number;
}

/** For what `POST /surveys` leaves out; the name is required. */
export const fieldDefaults: Omit<SurveyFields, "name"> = { description: "", language: "en", type: 1 };

const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 5000;

type Rule = { expected: string; fits: (value: unknown) => boolean };

const rules: Record<keyof SurveyFields, Rule> = {
  name: {
    expected: `must be text of 1 to ${LONGEST_NAME} characters`,
    fits: (value) => isText(value, LONGEST_NAME) && !isBlank(value),
  },
  description: {
    expected: `must be text of at most ${LONGEST_DESCRIPTION} characters`,
    fits: (value) => isText(value, LONGEST_DESCRIPTION),
  },
  language: {
    expected: "must be a language tag (BCP 47) such as en or pt-BR",
    fits: (value) => typeof value === "string" && isLanguageTag(value),
  },
  type: {
    expected: "must be 1 (survey), 2 (form), 3 (poll) or 4 (evaluation)",
    fits: (value) => value === 1 || value === 2 || value === 3 || value === 4,
  },
};

export const fieldNames = Object.keys(rules) as (keyof SurveyFields)[];

/** The fields the body gives, as they are, with a fault for each that is not what it should be. */
export function readFields(body: Record<string, unknown>): { fields: Partial<SurveyFields>; faults: Fault[] } {
  const given = fieldNames.filter((name) => Object.hasOwn(body, name));
  const faults = given.flatMap((name) => fieldFaults(name, body[name]).map((message) => ({ path: name, message })));
  return { fields: Object.fromEntries(given.map((name) => [name, body[name]])), faults };
}

/** Every fault of a field: a text that can not be stored may be too long as well. */
function fieldFaults(name: keyof SurveyFields, value: unknown): string[] {
  const { expected, fits } = rules[name];
  const faults = fits(value) ? [] : [expected];
  return typeof value === "string" && !isStorable(value) ? [...faults, unstorable] : faults;
}

const MOST_UNKNOWN = 50;
const LONGEST_KEY = 100;

/** A fault for each field of the body that does not exist; of a flood of them, the first. */
export function unknownFields(body: Record<string, unknown>, known: readonly string[]): Fault[] {
  const message = `is not a known field; known are ${known.join(", ")}`;
  return Object.keys(body)
    .filter((key) => !known.includes(key))
    .slice(0, MOST_UNKNOWN)
    .map((key) => ({ path: key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key, message }));
}

/** Text of at most so many characters (code points). */
function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value.length <= 2 * longest && Array.from(value).length <= longest;
}
