import { closed, surveyFieldDefaults, surveyFields, visibleText, word } from "@canvass/inputs";
import { Type, type TObject, type TSchema } from "typebox";
import { questionTypes } from "../catalogue.ts";
import { conditionSchemaOf, operators } from "../conditions/condition.ts";
import { contextConditionInput } from "../conditions/context-condition-input.ts";
import { entryShowIf } from "../conditions/entry-conditions.ts";
import { choicesFromOf, logicFieldsOf } from "../conditions/logic-fields.ts";
import { conditionTarget } from "../conditions/targets.ts";
import { takesDefault } from "../default-value.ts";
import { fieldsInput } from "../fields/hidden-field.ts";
import { quotasSchemaOf } from "../quotas/quota-input.ts";
import { typeSettingsSchema } from "../element-schemas.ts";
import { elementNameOrNull } from "../element-names.ts";
import { markFields } from "../entry-marks.ts";
import { codeField, entryText, entryTitle, formField, imageField, type ListRule } from "../list-input.ts";
import { listNames } from "../list-names.ts";
import { helpText, mostQuestions, pageTitle, questionText } from "../new-questions.ts";
import { oneOfTypes } from "../one-of-types.ts";
import { partialSettings } from "../partial-settings.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsPatchSchema } from "../settings-patch.ts";
import { pageBlock, shuffleElements, shuffleItems } from "../structure/shuffle-fields.ts";
import { weightLimits } from "../weight.ts";
import { documentTranslations } from "./translations.ts";

const keyText = (pattern: string, expected: string) =>
  Type.String({ pattern, description: `key: ${expected}`, "x-expected": expected });

/** Pages and elements. */
const placeKey = keyText("^[a-z][a-z0-9_]{0,63}$", "1 to 64 of a-z, 0-9 and _, beginning with a letter");
const entryKey = keyText("^[a-z0-9_]{1,32}$", "1 to 32 of a-z, 0-9 and _");
const elementReference = Type.String({
  maxLength: 64,
  description: "the key of an element of an earlier page or this one",
});

/** A list of a question in a document: each entry has a key. */
export function documentList(rule: ListRule): TSchema {
  const entry = closed(
    {
      key: entryKey,
      ...codeField,
      ...markFields(rule.marks ?? []),
      text: entryText,
      ...(rule.images ? imageField : {}),
      ...(rule.fields ? formField : {}),
      ...(rule.options ? { options: documentList(rule.options) } : {}),
      ...(rule.showIf ? entryShowIf("DocumentCondition") : {}),
    },
    { title: `Document${entryTitle(rule)}` },
  );
  return Type.Array(entry, { minItems: 1, maxItems: rule.max });
}

export const documentCondition = conditionSchemaOf(
  closed(
    {
      element: elementReference,
      operator: word(operators),
      value: Type.Optional(conditionTarget),
      answerOf: Type.Optional(elementReference),
    },
    { title: "DocumentAnswerCondition" },
  ),
  contextConditionInput,
  "DocumentCondition",
);

const documentLogic = logicFieldsOf(documentCondition, "DocumentConstraint", [
  choicesFromOf({ element: elementReference }, "DocumentChoicesFrom"),
]);

/** Fields of an element besides its settings and lists. `readElement` refuses those that its type does not support. */
export const elementFields = {
  key: placeKey,
  type: Type.String(),
  name: Type.Optional(elementNameOrNull),
  text: Type.Optional(Type.Union([questionText, Type.Null()])),
  helpText: Type.Optional(helpText),
  required: Type.Optional(Type.Boolean()),
  ...documentLogic,
  translations: documentTranslations,
};

const ruleSchema = closed(
  {
    when: { ...documentCondition, "x-judged-by": "condition" },
    goTo: Type.String({ maxLength: 64, description: "the key of a later page, or end" }),
  },
  { title: "DocumentRule" },
);

const pageFields = {
  key: placeKey,
  title: Type.Optional(pageTitle),
  loop: Type.Optional(
    Type.Union([closed({ element: elementReference, shuffle: shuffleItems }, { title: "DocumentLoop" }), Type.Null()]),
  ),
  showIf: documentLogic.showIf,
  skipLogic: Type.Optional(Type.Array(ruleSchema, { maxItems: weightLimits.pageRules })),
  shuffle: shuffleElements,
  block: pageBlock,
  translations: documentTranslations,
};

const fields = Object.entries(surveyFields).map(([name, { schema }]) => [
  name,
  Object.hasOwn(surveyFieldDefaults, name) ? Type.Optional(schema) : schema,
]);

function documentBody(page: TSchema, settings: TSchema) {
  const properties = {
    $schema: Type.Optional(visibleText(2_048, { description: "URL of the JSON Schema of documents; not stored" })),
    ...(Object.fromEntries(fields) as Record<string, TSchema>),
    settings: Type.Optional(settings),
    translations: documentTranslations,
    fields: Type.Optional(fieldsInput),
    quotas: Type.Optional(quotasSchemaOf(documentCondition, "DocumentQuota", { translations: documentTranslations })),
    pages: Type.Array(page, { minItems: 1, maxItems: weightLimits.surveyPages }),
  };
  return closed(properties, { title: "SurveyDocument" });
}

const judged = (schema: TSchema, by: "catalogue" | "question") =>
  Type.Unsafe<unknown>({ ...schema, "x-judged-by": by });

/** The frame that `readingDocument` checks as a whole: all but settings and pages. */
export const documentFrame = documentBody(judged(Type.Object({}), "question"), judged(Type.Object({}), "catalogue"));

/** A page without its elements, which `readElement` validates. */
export const pageFrame = closed({
  ...pageFields,
  elements: Type.Array(judged(Type.Object({}), "question"), { maxItems: mostQuestions }),
});

function elementSchema(type: QuestionType, name: string): TSchema {
  const { typeName, summary, answerable, lists } = type;
  const own = listNames.flatMap((name) => {
    const list = lists[name] && documentList(lists[name]);
    return list ? [[name, name === "choices" ? Type.Optional(list) : list] as const] : [];
  });
  const { text, required, requiredIf, constraints, defaultValue, choicesFrom, ...others } = elementFields;
  return closed(
    {
      ...others,
      type: Type.Literal(typeName),
      ...(!type.fixedText && { text }),
      ...(answerable && { required, requiredIf, constraints }),
      ...(takesDefault(type) && { defaultValue }),
      ...(lists.choices && { choicesFrom }),
      typeSettings: Type.Optional(documentedSettings(type, name)),
      ...Object.fromEntries(own),
    },
    { title: `Document${name}`, description: summary },
  );
}

/** Without the id of Other. */
function documentedSettings(type: QuestionType, name: string): TSchema {
  const { other, ...rest } = type.settings.properties as Record<string, TObject>;
  if (!other) return typeSettingsSchema(type);
  const { choiceId: _, ...kept } = other.properties;
  return partialSettings(Type.Object({ ...rest, other: Type.Object(kept) }), `Document${name}Settings`);
}

const documentedElement = oneOfTypes("DocumentElement", "type", questionTypes, elementSchema);
const documentedPage = closed(
  { ...pageFields, elements: Type.Array(documentedElement, { maxItems: mostQuestions }) },
  { title: "DocumentPage" },
);

/** The survey's document, for editors and API documents. `readingDocument` checks a document by the same parts. */
export const surveyDocumentSchema = documentBody(documentedPage, settingsPatchSchema);
