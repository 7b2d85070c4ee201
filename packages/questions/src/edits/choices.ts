import { closed, lookupId, violationsBelow, visibleText, type Violation } from "@canvass/inputs";
import { Type, type Static } from "typebox";
import { questionTypeOf } from "../catalogue.ts";
import { choicesById, withoutRetired } from "../choice-list.ts";
import { entryShowIf } from "../conditions/entry-conditions.ts";
import type { Choice, Question } from "../definition.ts";
import { applyElementSettings } from "../element-settings.ts";
import { allMarkFields, entryMarks, type EntryMarks } from "../entry-marks.ts";
import { codeField, entryText, type ListContext } from "../list-input.ts";
import { checkUniqueIds } from "../check-unique-ids.ts";
import { violationsInRequest, type PlaceInRequest } from "../settings-violations.ts";
import type { EditResult, ElementEdit } from "./element-edit.ts";

const anyChoice = lookupId("a choice", "a choice of the question");
const choiceId = Type.Union([anyChoice, Type.Null()]);
const entryFields = {
  imageUrl: Type.Optional(Type.Union([Type.String({ maxLength: 2_048 }), Type.Null()])),
  ...codeField,
  ...allMarkFields,
  ...entryShowIf("ConditionInput"),
};
const mostChoices = 1_000;
const ofQuestion = "a choice of this question";

const forChoices = {
  takes: "a question with choices",
  fits: ({ lists }) => lists.choices !== undefined,
} satisfies Partial<ElementEdit>;

export const choiceBody = closed({
  choiceId,
  questionId: lookupId("a question", "the question of the element"),
  newTitle: entryText,
  ...entryFields,
});

export const choiceEdit: ElementEdit = {
  ...forChoices,
  input: choiceBody,
  apply(question, { choiceId, questionId, newTitle, ...given }: Static<typeof choiceBody>, context) {
    const violations: Violation[] = [];
    if (questionId !== question.questionId)
      violations.push({ path: "questionId", message: "is not the question of this element" });
    if (choiceId !== null && !choicesById(question).has(choiceId))
      violations.push({ path: "choiceId", message: `is not ${ofQuestion}` });
    violations.push(...fieldViolations(question, given));
    if (violations.length > 0) return { violations };
    const choices = question.choices ?? [];
    if (choiceId === null) {
      const listed = [...withoutRetired(choices), { text: newTitle, ...given }];
      return withChoices(question, listed, context, "choiceId", inChoice);
    }
    const changed = choices.map((choice) =>
      choice.id === choiceId ? { ...choice, text: newTitle, ...given } : choice,
    );
    const listed = changed.filter(({ id, retired }) => !retired || id === choiceId);
    return withChoices(question, listed, context, "choiceId", inChoice);
  },
};

export const choicesBody = closed({
  choices: Type.Array(closed({ choiceId, title: entryText, ...entryFields }, { title: "ListedChoice" }), {
    minItems: 1,
    maxItems: mostChoices,
  }),
});

/** Named choices stay, null adds a choice, and all other choices are removed or retired. */
export const choicesEdit: ElementEdit = {
  ...forChoices,
  input: choicesBody,
  apply(question, { choices }: Static<typeof choicesBody>, context) {
    const violations: Violation[] = [];
    const known = choicesById(question);
    const ids = choices.map(({ choiceId }) => choiceId);
    checkUniqueIds(ids, (id) => known.has(id), ofQuestion, "choices", violations, "choiceId");
    for (const [index, given] of choices.entries()) {
      violations.push(...violationsBelow(`choices.${index}`, fieldViolations(question, given)));
    }
    if (violations.length > 0) return { violations };
    const list = choices.map(({ choiceId, title, ...given }) => {
      const old = choiceId === null ? undefined : known.get(choiceId)!;
      return {
        ...(old && { id: old.id }),
        text: title,
        ...(old?.imageUrl !== undefined && { imageUrl: old.imageUrl }),
        ...given,
      };
    });
    return withChoices(question, list, context, "choices", inList);
  },
};

export const choiceOrderBody = closed({ choiceIds: Type.Array(anyChoice, { minItems: 1, maxItems: mostChoices }) });

/** The body must name all choices that respondents can choose. */
export const choiceOrderEdit: ElementEdit = {
  ...forChoices,
  input: choiceOrderBody,
  apply(question, { choiceIds }: Static<typeof choiceOrderBody>, context) {
    const violations: Violation[] = [];
    const choices = new Map(withoutRetired(question.choices).map((choice) => [choice.id, choice]));
    checkUniqueIds(choiceIds, (id) => choices.has(id), `${ofQuestion} that can be chosen`, "choiceIds", violations);
    const named = new Set(choiceIds);
    const missing = [...choices.keys()].filter((id) => !named.has(id));
    if (missing.length > 0) {
      const message = `must name every choice; missing are ${missing.slice(0, 20).join(", ")}`;
      violations.push({ path: "choiceIds", message });
    }
    if (violations.length > 0) return { violations };
    const listed = choiceIds.map((id) => choices.get(id)!);
    return withChoices(question, listed, context, "choiceIds");
  },
};

const deleteInput = closed({ choiceId: anyChoice });

export const deleteChoiceEdit: ElementEdit = {
  ...forChoices,
  input: deleteInput,
  apply(question, { choiceId }: Static<typeof deleteInput>, context) {
    const choices = withoutRetired(question.choices);
    if (!choices.some(({ id }) => id === choiceId)) return { missing: "choice" };
    if (choices.length === 1)
      return { violations: [{ path: "choiceId", message: "is the last choice that can be chosen" }] };
    const listed = choices.filter(({ id }) => id !== choiceId);
    return withChoices(question, listed, context, "choiceId");
  },
};

/** For choices with pictures, which have their own route; refuses other types. */
export const deleteImageChoiceEdit: ElementEdit = {
  ...deleteChoiceEdit,
  takes: "a question with choices of pictures",
  fits: ({ lists }) => lists.choices?.images === true,
};

export const otherBody = closed({
  enabled: Type.Boolean(),
  label: Type.Optional(visibleText(200)),
  ...codeField,
});

/** Enables or disables the choice Other, which keeps its id. */
export const otherEdit: ElementEdit = {
  takes: "a question that can have the choice Other",
  fits: ({ settings }) => "other" in settings.properties,
  input: otherBody,
  apply(question, input: Static<typeof otherBody>, context) {
    const other = { ...(question.typeSettings["other"] as object), ...input };
    const typeSettings = { ...question.typeSettings, other };
    const result = applyElementSettings(question, { settings: { typeSettings } }, context);
    return "violations" in result ? { violations: violationsInRequest(result.violations, "enabled", inOther) } : result;
  },
};

const inOther: PlaceInRequest = (path) => /^settings\.typeSettings\.other\.(enabled|label|code)$/.exec(path)?.[1];

/** Refuses fields that choices of the type do not have. */
function fieldViolations(question: Question, given: EntryMarks & { imageUrl?: string | null }): Violation[] {
  const { lists, typeName } = questionTypeOf(question);
  const { images, marks } = lists.choices!;
  const foreign = entryMarks.filter((mark) => !marks.includes(mark) && given[mark] !== undefined);
  const refused = [...(images || given.imageUrl === undefined ? [] : ["imageUrl"]), ...foreign];
  return refused.map((path) => ({ path, message: `is not supported by ${typeName}` }));
}

type ListedChoice = Partial<Omit<Choice, "code">> & { text: string; code?: string | null; showIf?: unknown };

/** Retired choices that are not in `choices` stay at the end and do not count towards the limit. */
function withChoices(
  question: Question,
  choices: readonly ListedChoice[],
  context: ListContext,
  sent: string,
  placeOf: PlaceInRequest = () => undefined,
): EditResult {
  const { typeSettings } = question;
  const result = applyElementSettings(question, { settings: { typeSettings, choices } }, context);
  return "violations" in result ? { violations: violationsInRequest(result.violations, sent, placeOf) } : result;
}

const inList: PlaceInRequest = (path) => {
  const place = /^settings\.(choices\b.*)$/.exec(path)?.[1];
  return place?.replace(/\.text$/, ".title");
};

const inChoice: PlaceInRequest = (path) => {
  const field = /^settings\.choices\.\d+\.(text|imageUrl|code|showIf.*)$/.exec(path)?.[1];
  return field === "text" ? "newTitle" : field;
};
