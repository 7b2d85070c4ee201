import type { TSchema } from "typebox";
import { questionTypeOf } from "../catalogue.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { withCarriedChoices } from "../definition-index.ts";
import { withPlainText } from "../text-format.ts";
import { keyOf, type DocumentKeys } from "../document/document-keys.ts";

const frame = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  description:
    "An answer of a respondent of this version, as lists and streams of answers have it. Its value is defined by the name or the key of its element.",
  type: "object",
  required: ["elementId", "type", "value"],
};

/**
 * Returns the JSON Schema of an answer to a version as JSON: a variant for each element that can be answered, and the
 * schemas of their values by name, or by key where there is none (contract 6.15). Yields after each question.
 */
export function* makingAnswersSchema(
  definition: SurveyDefinition,
  { title, keys }: { title: string; keys: DocumentKeys },
): Generator<void, string> {
  const variants: object[] = [];
  const values: Record<string, TSchema> = {};
  const questions = withCarriedChoices(definition).pages.flatMap(({ elements }) => elements);
  const names = new Set(questions.map(({ name }) => name));
  for (const question of questions) {
    const type = questionTypeOf(question);
    if (!type.answerable) continue;
    const key = question.name ?? unnamedKey(question, names, keys);
    const properties = {
      elementId: { const: question.elementId },
      type: { const: type.typeName },
      value: { $ref: `#/$defs/${key}` },
    };
    variants.push({ title: key, properties });
    const { text } = withPlainText(question);
    values[key] = { ...valueSchemaOf(question), ...(text !== null && { description: text }) };
    yield;
  }
  return JSON.stringify({ ...frame, title, oneOf: variants, $defs: values });
}

/** Returns the element's key, or its id if another element has that key as its name. */
function unnamedKey({ elementId }: Question, names: ReadonlySet<string | undefined>, keys: DocumentKeys): string {
  const key = keyOf("element", elementId, keys);
  return names.has(key) ? elementId : key;
}

/** The shape of values of answers to a question. */
export function valueSchemaOf(question: Question): TSchema {
  const type = questionTypeOf(question);
  return type.answerSchema?.(question) ?? type.valueSchema;
}
