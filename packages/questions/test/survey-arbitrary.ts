import * as fc from "fast-check";
import { answerKey } from "../src/answer-key.ts";
import { questionTypeOf } from "../src/catalogue.ts";
import { withCarried } from "../src/carried-choices.ts";
import { whichChoices } from "../src/choices-from.ts";
import { withCarriedChoices } from "../src/definition-index.ts";
import { choicesAndOther } from "../src/chosen-choices.ts";
import { takesDefault } from "../src/default-value.ts";
import { operators, type AnswerCondition, type Condition, type ContextCondition } from "../src/conditions/condition.ts";
import type { Page, Question, SkipRule, SurveyDefinition } from "../src/definition.ts";
import { withLogic } from "../src/element-logic.ts";
import type { RespondentContext } from "../src/respondent-context.ts";
import { pageLogicViolations } from "../src/structure/logic-violations.ts";
import { idsOf, sampleQuestion } from "./sample-question.ts";
import { ask, page } from "./sample-survey.ts";

/** Questions as random surveys have them, and some answers each takes. */
const kinds: [type: string, fields: Record<string, unknown>, values: (question: Question) => unknown[]][] = [
  [
    "multiple_choice",
    { multipleAnswers: true, typeSettings: { other: { enabled: true } } },
    ({ choices }) => [idsOf(choices), idsOf(choices).slice(1)],
  ],
  ["multiple_choice", { required: true }, ({ choices }) => idsOf(choices)],
  ["dropdown", {}, ({ choices }) => idsOf(choices)],
  ["multiple_choice", { multipleAnswers: true }, ({ choices }) => [idsOf(choices).slice(0, 1), idsOf(choices)]],
  ["ranking", { typeSettings: { rankAll: false } }, ({ choices }) => [idsOf(choices), idsOf(choices).slice(1)]],
  ["yes_no", { required: true }, () => [true, false]],
  ["rating", {}, () => [1, 5]],
  ["number", {}, () => [-1, 0, 7]],
  ["short_text", {}, () => ["a", "b"]],
  ["date_time", {}, () => ["2026-01-31"]],
  ["matrix", {}, ({ rows, columns }) => [{ [idsOf(rows)[0]!]: idsOf(columns)[0] }]],
  ["statement", {}, () => []],
];
const isSeveral = ({ typeSettings }: Question) => typeSettings["multipleAnswers"] === true;
const valuesOf = (question: Question) => {
  const asked = kinds.map(([type, fields, values]) => [sampleQuestion(type, fields), values] as const);
  return asked.find(([each]) => each.type === question.type && isSeveral(each) === isSeveral(question))![1](question);
};

/** Numbers that decide what is picked; the same give the same survey. */
type Picks = () => number;

function pick<T>(list: readonly T[], picks: Picks): T {
  return list[picks() % list.length]!;
}

/** Surveys of up to six pages with any loops and skip logic that are sound, many of them with fields. */
export const surveys: fc.Arbitrary<SurveyDefinition> = fc
  .tuple(
    fc.array(fc.array(fc.nat(kinds.length - 1), { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
    fc.array(fc.nat(1_000), { minLength: 150, maxLength: 150 }),
  )
  .filter(([pages]) => pages.some(({ length }) => length > 0))
  .map(([pages, tape]) => buildSurvey(pages, tape));

function buildSurvey(kindsByPage: number[][], tape: number[]): SurveyDefinition {
  let at = 0;
  const picks = () => tape[at++ % tape.length]!;
  const pages = kindsByPage.map((numbers, index) =>
    page(
      `p${index}`,
      numbers.map((number, place) => named(ask(`e${index}${place}`, kinds[number]![0], kinds[number]![1]), picks)),
    ),
  );
  const built: Page[] = [];
  for (const [index, page] of pages.entries()) {
    const loop = picks() % 2 === 0 ? pickLoop(built, picks) : null;
    const earlier = answerableIn(built);
    const showIf = earlier.length > 0 && picks() % 6 === 0 && { showIf: pickCondition(earlier, picks) };
    built.push({ ...page, loop, ...showIf });
    const complete = withPickedLogic(built, index, picks);
    built[index] = complete;
    const skipLogic = Array.from({ length: picks() % 3 }, () => pickRule(built, index, pages, picks));
    const rules = skipLogic.filter((rule) => rule !== null);
    const shuffled = picks() % 4 === 0 && isWithoutLogic(complete) && { shuffle: true };
    const ownLoop = loop && rules.length === 0 && picks() % 2 === 0 ? { ...loop, shuffle: true } : loop;
    built[index] = { ...complete, loop: ownLoop, skipLogic: rules, ...shuffled };
  }
  const blocked = withBlocks(built, picks);
  const asksFields = JSON.stringify(built).includes('"field":');
  return picks() % 2 === 0 && !asksFields ? { pages: blocked } : { pages: blocked, fields };
}

/** Puts some pages into blocks with the next one, where the survey stays sound. */
function withBlocks(pages: readonly Page[], picks: Picks): Page[] {
  let current = [...pages];
  for (let at = 0; at + 1 < pages.length; at++) {
    if (picks() % 2 !== 0) continue;
    const block = current[at]!.block ?? `b${at}`;
    const joined = current.map((page, index) => (index === at || index === at + 1 ? { ...page, block } : page));
    if (joined.every((_, index) => pageLogicViolations({ pages: joined, fields }, index).length === 0)) {
      current = joined;
    }
  }
  return current;
}

/** Some elements of a page are shown, required or valid by conditions about elements before them. */
function withPickedLogic(built: readonly Page[], index: number, picks: Picks): Page {
  const page = built[index]!;
  const others = answerableIn(built.slice(0, index).filter(({ loop }) => !loop || !page.loop));
  const sources = answerableIn(built.slice(0, index).filter(({ loop }) => !loop));
  const before: Question[] = [];
  const elements = page.elements.map((given) => {
    const { answerable } = questionTypeOf(given);
    const asked = [...others, ...before];
    const [question, carried] = pickSource(given, [...sources, ...before], picks);
    if (answerable) before.push(carried);
    const [isAsking, mayAsk] = [asked.length > 0, (share: number) => picks() % share === 0];
    return withLogic(question, {
      ...(isAsking && mayAsk(4) && { showIf: pickCondition(asked, picks) }),
      ...(isAsking && mayAsk(4) && { entries: pickEntryConditions(question, asked, picks) }),
      ...(isAsking && answerable && mayAsk(6) && { requiredIf: pickCondition(asked, picks) }),
      ...(answerable &&
        mayAsk(6) && {
          constraints: [{ must: pickCondition([...asked, carried], picks), message: "Please check." }],
        }),
      ...(mayAsk(5) && !question.logic?.choicesFrom && pickDefault(question, picks)),
      ...question.logic,
    });
  });
  return { ...page, elements };
}

/** Some questions carry the choices of an earlier one. Returns a question as it is written, and with its choices. */
function pickSource(question: Question, before: readonly Question[], picks: Picks): [Question, Question] {
  const type = questionTypeOf(question);
  const sources = before.filter((each) => questionTypeOf(each).canBeCarried);
  const hasOther = (question.typeSettings["other"] as { enabled: boolean } | undefined)?.enabled;
  if (!type.lists.choices || hasOther || sources.length === 0 || picks() % 3 === 0) return [question, question];
  const source = pick(sources, picks);
  const { choices: _, ...rest } = question;
  const logic = { choicesFrom: { elementId: source.elementId, which: pick(whichChoices, picks) } };
  const written = { ...rest, logic };
  return [written, withCarried(written, type, () => source)];
}

function pickEntryConditions({ choices = [], rows = [] }: Question, asked: readonly Question[], picks: Picks) {
  const picked = [...choices, ...rows].filter(() => picks() % 2 === 0);
  return Object.fromEntries(picked.map(({ id }) => [id, pickCondition(asked, picks, 2)]));
}

/** A default is given without the texts of choices. */
function pickDefault(question: Question, picks: Picks) {
  const type = questionTypeOf(question);
  const value = takesDefault(type) ? type.sample(question, () => (picks() % 1_000) / 1_000) : undefined;
  const isPlain = (each: unknown) => typeof each !== "object";
  const fits = value !== undefined && (Array.isArray(value) ? value.every(isPlain) : isPlain(value));
  return fits ? { defaultValue: value } : {};
}

const answerableIn = (pages: readonly Page[]): Question[] =>
  withCarriedChoices({ pages: [...pages] })
    .pages.flatMap(({ elements }) => elements)
    .filter((question) => questionTypeOf(question).answerable);

/** Elements of a shuffled page must not ask each other. */
const isWithoutLogic = ({ elements }: Page): boolean => elements.every(({ logic }) => !logic);

const fields: SurveyDefinition["fields"] = [
  { name: "constructor", type: "text", default: "{{", allowAnonymous: true },
  { name: "number", type: "number", default: -0.5 },
];

const contextConditions: ContextCondition[] = [
  { field: "constructor", operator: "equals", value: "A" },
  { field: "constructor", operator: "not_contains", value: "b" },
  { field: "constructor", operator: "answered" },
  { field: "number", operator: "between", value: [-1, 7] },
  { field: "number", operator: "not_in", value: [1, 2] },
  { language: true, operator: "equals", value: "de" },
  { language: true, operator: "not_in", value: ["de-AT", "fr"] },
  { language: true, operator: "not_answered" },
];

const contexts: fc.Arbitrary<RespondentContext> = fc.record({
  fields: fc.record(
    { constructor: fc.constantFrom("a", "ab", "{{"), number: fc.constantFrom(-2, 0, 1, 7) },
    { requiredKeys: [] },
  ) as fc.Arbitrary<RespondentContext["fields"]>,
  language: fc.constantFrom("", "de", "de-AT", "den", "fr"),
});

/** Some questions have names, and some entries codes and marks. */
function named(question: Question, picks: Picks): Question {
  const coded = question.choices?.map((choice, index) =>
    picks() % 3 === 0 ? { ...choice, code: `c${index}` } : choice,
  );
  const marks = question.choices && questionTypeOf(question).lists.choices!.marks;
  const marked = (coded ?? []).map((choice) => {
    const own = (marks ?? []).filter((mark) => mark !== "exclusive" && picks() % 4 === 0);
    return { ...choice, ...Object.fromEntries(own.map((mark) => [mark, true])) };
  });
  const name = picks() % 3 === 0 && { name: `name_${question.elementId}` };
  return { ...question, ...name, ...(coded && { choices: marked }) };
}

function pickLoop(earlier: readonly Page[], picks: Picks): Page["loop"] {
  const sources = earlier
    .filter(({ loop }) => loop === null)
    .flatMap(({ elements }) => elements)
    .filter((question) => questionTypeOf(question).canLoop?.(question));
  return sources.length === 0 ? null : { elementId: pick(sources, picks).elementId };
}

function pickRule(asked: readonly Page[], index: number, pages: readonly Page[], picks: Picks): SkipRule | null {
  const questions = answerableIn(asked);
  if (questions.length === 0) return null;
  const when = pickCondition(questions, picks);
  return { when, goTo: pick(["end", ...pages.slice(index + 1).map(({ pageId }) => pageId)], picks) };
}

function pickCondition(questions: readonly Question[], picks: Picks, levels = 3): Condition {
  const kind = levels === 1 ? 0 : picks() % 8;
  const part = () => pickCondition(questions, picks, levels - 1);
  if (kind === 1) return { all: [part(), part()] };
  if (kind === 2) return { any: [part(), part()] };
  if (kind === 3) return { not: part() };
  if (kind === 4 && picks() % 2 === 0) return pick(contextConditions, picks);
  const question = pick(questions, picks);
  const other = pick(questions, picks);
  // The same type and settings, so that the answers compare.
  const isAlike =
    other !== question && other.type === question.type && ["number", "short_text"].includes(typeOf(other));
  return isAlike
    ? { elementId: question.elementId, operator: "not_equals", answerOf: other.elementId }
    : pickComparison(question, picks);
}

const typeOf = (question: Question): string => questionTypeOf(question).typeName;

function pickComparison(question: Question, picks: Picks): AnswerCondition {
  const { conditions } = questionTypeOf(question);
  const supported = operators.filter((operator) => operator.endsWith("answered") || conditions[operator]);
  const operator = pick(supported, picks);
  const single = [
    ...choicesAndOther(question).map(({ id }) => id),
    ...idsOf(question.columns ?? []),
    true,
    3,
    "a",
    "2026-01-31",
  ];
  const targets = [...single, ...single.map((target) => [target]), ...single.map((target) => [target, target])];
  const fitting = targets.filter((target) => conditions[operator]?.(question, target) === null);
  const value = fitting.length > 0 ? { value: pick(fitting, picks) } : {};
  return { elementId: question.elementId, operator, ...value };
}

export type KnownAnswers = Map<string, unknown> & { context: RespondentContext };

export const knownAnswers = (given: Iterable<readonly [string, unknown]>, context: RespondentContext): KnownAnswers =>
  Object.assign(new Map(given), { context });

/** Any of the answers a survey takes, also to pages that are skipped. */
export function answersTo(definition: SurveyDefinition): fc.Arbitrary<KnownAnswers> {
  const { pages } = withCarriedChoices(definition);
  const elements = new Map(pages.flatMap(({ elements }) => elements.map((question) => [question.elementId, question])));
  const keys = pages.flatMap(({ loop, elements: questions }) => {
    const source = loop && elements.get(loop.elementId);
    const items = source ? choicesAndOther(source).map(({ id }) => id) : [null];
    return questions.flatMap((question) =>
      items.map((item) => [answerKey(question.elementId, item), question] as const),
    );
  });
  const entries = keys.map(([key, question]) =>
    fc.constantFrom(undefined, ...valuesOf(question)).map((value) => [key, value] as const),
  );
  return fc.tuple(contexts, ...entries).map(([context, ...given]) =>
    knownAnswers(
      given.filter(([, value]) => value !== undefined),
      context,
    ),
  );
}
