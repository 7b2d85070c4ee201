import { nameSchemas, type Schemas } from "../src/plugins/openapi/name-schemas.ts";
import { documentValidator } from "./fuzz/document-validator.ts";
import { resolveReferences } from "./fuzz/resolve-references.ts";
import { allScopes } from "@canvass/access";
import {
  anonymizeContactBody,
  contactsQuery,
  createContactBody,
  createImportBody,
  createSubscriptionBody,
  createTokenBody,
  deleteContactsBody,
  deliveriesQuery,
  redeliverRangeBody,
  elementsQuery,
  importQuery,
  npsResponseBody,
  npsResponseQuery,
  publishSurveyBody,
  shapeViolations,
  startRespondentBody,
  surveysQuery,
  updateContactBody,
  updateSubscriptionBody,
  updateTokenBody,
} from "@canvass/inputs";
import { unstorableTextMessage } from "@canvass/values";
import {
  addQuestionsBody,
  answerInputByType,
  batchBody,
  choiceBody,
  choiceOrderBody,
  choicesBody,
  conditionInput,
  createSurveyBody,
  fieldsBody,
  npsLabelBody,
  npsSettingsBody,
  nullableCondition,
  orderElementsBody,
  quotasBody,
  otherBody,
  patchPageBody,
  ratingLabelBody,
  ratingSettingsBody,
  submissionBody,
  updateSurveyBody,
} from "@canvass/questions";
import fc from "fast-check";
import type { TSchema } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nearly, validValue, type Schema } from "./fuzz/schema-arbitrary.ts";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let document: any; // oxlint-disable-line typescript/no-explicit-any
let validatorAt: ReturnType<typeof documentValidator>;
beforeAll(async () => {
  edge = await startEdge();
  const written = (await edge.call("/openapi.json", { token: null })).body as object;
  document = resolveReferences(written);
  validatorAt = documentValidator(written);
});
afterAll(() => edge[Symbol.asyncDispose]());

/** Replaces parts with `x-shown-as` by the schemas that the document shows: answers by type, conditions of entries. */
const asShown = (schema: TSchema): TSchema =>
  JSON.parse(
    JSON.stringify(
      schema,
      (_key, value: { "x-shown-as"?: string } | null) => shown[value?.["x-shown-as"] ?? ""] ?? value,
    ),
  ) as TSchema;

const shown: Record<string, TSchema> = {
  AnswerInput: answerInputByType,
  ConditionInputOrNull: nullableCondition(conditionInput, { "x-judged-by": "condition" }),
};

const bodies: Record<string, TSchema> = {
  createSurvey: asShown(createSurveyBody),
  updateSurvey: updateSurveyBody,
  addQuestions: asShown(addQuestionsBody),
  orderElements: orderElementsBody,
  updatePage: patchPageBody,
  replaceSurveyFields: fieldsBody,
  replaceSurveyQuotas: quotasBody,
  updateChoice: asShown(choiceBody),
  replaceChoices: asShown(choicesBody),
  orderChoices: choiceOrderBody,
  setOtherChoice: otherBody,
  updateNpsLabel: npsLabelBody,
  updateNpsSettings: npsSettingsBody,
  updateRatingLabel: ratingLabelBody,
  updateRatingSettings: ratingSettingsBody,
  publishSurvey: publishSurveyBody,
  startRespondent: startRespondentBody,
  submitNpsAnswer: npsResponseBody,
  submitAnswers: asShown(submissionBody),
  submitBatch: asShown(batchBody),
  createContact: createContactBody,
  updateContact: updateContactBody,
  deleteContacts: deleteContactsBody,
  anonymizeContact: anonymizeContactBody,
  createContactImport: createImportBody,
  createSubscription: createSubscriptionBody,
  updateSubscription: updateSubscriptionBody,
  redeliverRange: redeliverRangeBody,
  createToken: createTokenBody(allScopes),
  updateToken: updateTokenBody(allScopes),
};

const queries: Record<string, TSchema> = {
  listSurveys: surveysQuery,
  listElements: elementsQuery,
  getNpsAnswer: npsResponseQuery,
  listDeliveries: deliveriesQuery,
  listContacts: contactsQuery,
  createContactImport: importQuery,
};

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: object }> };
  parameters: { in: string; name: string; schema: object }[];
}

function operation(operationId: string): Operation {
  const all = Object.values(document.paths as object).flatMap((methods: object) => Object.values(methods));
  return (all as Operation[]).find((each) => each.operationId === operationId)!;
}

/** The keys that lead to an operation. */
function placeOf(operationId: string): [string, string, string] {
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths))
    for (const [method, each] of Object.entries(methods))
      if (each.operationId === operationId) return ["paths", path, method];
  throw new Error(`no operation ${operationId}`);
}

type Evaluated = { "x-judged-by"?: string } | null;

/** Without the parts of settings and question types, which the document writes in another way, and our own keywords. */
function evaluatedByShape(schema: TSchema): object {
  const left = (value: Evaluated): boolean => ["catalogue", "question"].includes(value?.["x-judged-by"] ?? "");
  const shown = (key: string, value: Evaluated) =>
    ["x-visible", "x-judged-by", "x-expected", "x-in-words"].includes(key) ? undefined : left(value) ? {} : value;
  return JSON.parse(JSON.stringify(schema, shown)) as object;
}

/** The schema in the document's own way of writing. */
function asDocumented(schema: object): object {
  const schemas: Schemas = {};
  // Parts of conditions refer to it.
  nameSchemas(evaluatedByShape(conditionInput), schemas);
  const named = nameSchemas(schema, schemas);
  return resolveReferences({ named, components: { schemas } }).named as object;
}

/** With comparisons only for conditions, whose other parts the schema leaves to `checkCondition`. */
function plain(schema: TSchema): Schema {
  const comparison = (_key: string, value: (Evaluated & { anyOf?: unknown[] }) | null) =>
    value?.["x-judged-by"] === "condition" && value.anyOf ? value.anyOf[0] : value;
  return JSON.parse(JSON.stringify(schema, comparison)) as Schema;
}

test.each(Object.entries(bodies))(
  "the body of %s is documented by the schema that judges it",
  (operationId, schema) => {
    expect(operation(operationId).requestBody!.content["application/json"]!.schema).toMatchObject(
      asDocumented(evaluatedByShape(schema)),
    );
  },
);

test.each(Object.entries(queries))(
  "the query of %s is documented by the schema that judges it",
  (operationId, schema) => {
    const documented = operation(operationId).parameters.filter((parameter) => parameter.in === "query");
    const names = documented.map(({ name }) => name);
    const { properties: evaluated = {} } = evaluatedByShape(schema) as Schema;
    expect(names).toEqual(Object.keys(evaluated));
    for (const { name, schema: shown } of documented) {
      const { description: _, ...limits } = evaluated[name] as Schema & { description?: string };
      expect(shown).toMatchObject(limits);
    }
  },
);

test.each(Object.entries(bodies))("what the schema of %s takes, the documented one takes", (operationId, schema) => {
  const takes = validatorAt(...placeOf(operationId), "requestBody", "content", "application/json", "schema");
  fc.assert(
    fc.property(validValue(plain(schema)), (value) => {
      takes(value);
      expect(takes.errors ?? []).toEqual([]);
    }),
  );
});

test.each(Object.entries({ ...bodies, ...queries }))(
  "values generated from the schema of %s have no violations",
  (_id, schema) => {
    // Rules that no schema can state: invisible text, and text that cannot be stored.
    const beyond = (message: string) =>
      message === unstorableTextMessage || message === "must be text of 1 to 200 characters";
    fc.assert(
      fc.property(validValue(plain(schema)), (value) => {
        expect(shapeViolations(schema, value).filter(({ message }) => !beyond(message))).toEqual([]);
      }),
    );
  },
);

test.each(Object.entries({ ...bodies, ...queries }))(
  "whatever is sent for %s, it is judged without a throw",
  (_id, schema) => {
    fc.assert(
      fc.property(nearly(validValue(plain(schema))), (value) => {
        for (const { path, message } of shapeViolations(schema, value))
          expect([typeof path, message]).toEqual(["string", expect.stringMatching(/^(must|is)\b/)]);
      }),
    );
  },
);
