import { answerKey, findElement, variablesOf, type SurveyDefinition, type Variable } from "@canvass/questions";
import { ownValue } from "@canvass/values";
import type { ValueSource } from "./axis-input.ts";

/** What tables know of respondents that are alike in it. */
export interface TabledRespondents {
  count: number;
  definition: SurveyDefinition;
  answers: Readonly<Record<string, unknown>>;
  fields: Readonly<Record<string, string | number>>;
  language: string;
  distributorId: string;
  versionNumber: number;
  isAnonymous: boolean;
  startedAt: Date;
}

export type Value = readonly string[] | string | number;
export interface FoundValue {
  value: Value;
  /** Of answers: the variable of the respondent's version. */
  variable?: Variable;
}

/** Returns a function that reads a respondent's value by its own version; null if there is no value. */
export function valueReader(source: ValueSource): (respondent: TabledRespondents) => FoundValue | null {
  if ("elementId" in source) return answerReader(source);
  if ("field" in source) return ({ fields }) => found(Object.hasOwn(fields, source.field) ? fields[source.field]! : "");
  return (respondent) => found(respondent[source.known]);
}

const found = (value: string | number): FoundValue | null => (value === "" ? null : { value });

function answerReader({ elementId, itemId, place }: Extract<ValueSource, { elementId: string }>) {
  const key = answerKey(elementId, itemId);
  const variables = new WeakMap<SurveyDefinition, { variable: Variable | undefined }>();
  const variableIn = (definition: SurveyDefinition) => {
    let known = variables.get(definition);
    if (!known) {
      const element = findElement(definition, elementId);
      known = { variable: element && variablesOf(element.question).find((each) => isAt(each, place)) };
      variables.set(definition, known);
    }
    return known.variable;
  };
  return ({ definition, answers }: TabledRespondents): FoundValue | null => {
    const answer = ownValue(answers, key);
    const variable = answer === undefined ? undefined : variableIn(definition);
    const value = variable?.read(answer) ?? null;
    return value === null ? null : { value, variable: variable! };
  };
}

export const isAt = ({ place }: Variable, ids: readonly string[]): boolean =>
  place.length === ids.length && place.every(({ id }, index) => id === ids[index]);
