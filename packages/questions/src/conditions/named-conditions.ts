import { withCarried } from "../carried-choices.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { ChoicesFrom } from "../choices-from.ts";
import { resolveChoiceNames } from "../default-value.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { declaredName } from "../fields/declared-name.ts";
import { mapConditions, withLogic } from "../element-logic.ts";
import { nameKey } from "../name-key.ts";
import { type AnswerCondition, type Comparison, type Condition, namesElement } from "./condition.ts";
import { leavesOf, mapLeaves } from "./tree.ts";

export type ResolveCondition = (condition: Condition) => Condition;

/** What callers wrote with a name. Its violations are reported at `name`. */
const written = new WeakSet<Comparison | ChoicesFrom>();

/** The field in which its caller gave the element. */
export const elementField = (of: AnswerCondition | ChoicesFrom) => (written.has(of) ? "name" : "elementId");

/**
 * Returns a function that replaces names of elements in a condition by ids, in such comparisons also codes and texts of
 * choices, and writes names of hidden fields as declared. Unknown names stay: `conditionViolations` refuses them.
 */
export function conditionResolver({ pages, fields }: Pick<SurveyDefinition, "pages" | "fields">): ResolveCondition {
  let named: ReadonlyMap<string, Question> | undefined;
  const resolve = (leaf: Comparison): Comparison => {
    if ("field" in leaf) return withDeclaredField(leaf, fields);
    const question = namesElement(leaf) ? (named ??= questionsByName(pages)).get(nameKey(leaf.name)) : undefined;
    if (!question || !namesElement(leaf)) return leaf;
    const { name: _, value, ...rest } = leaf;
    const { elementId } = question;
    const resolved = { elementId, ...rest, ...(value !== undefined && { value: resolveChoiceNames(question, value) }) };
    written.add(resolved);
    return resolved;
  };
  return (condition) => {
    const isNamed = [...leavesOf(condition)].some(({ leaf }) => resolve(leaf) !== leaf);
    return isNamed ? mapLeaves(condition, resolve)! : condition;
  };
}

/** Writes the field's name as it is declared. Returns the same object if it is spelled so or unknown. */
export function withDeclaredField<Leaf extends Comparison>(leaf: Leaf, fields: SurveyDefinition["fields"]): Leaf {
  const declared = "field" in leaf ? declaredName(fields, leaf.field) : undefined;
  return declared === undefined || !("field" in leaf) || declared === leaf.field ? leaf : { ...leaf, field: declared };
}

/** With the choices that they carry, which conditions may name. */
function questionsByName(pages: SurveyDefinition["pages"]): ReadonlyMap<string, Question> {
  const [byId, byName] = [new Map<string, Question>(), new Map<string, Question>()];
  for (const written of pages.flatMap(({ elements }) => elements)) {
    const question = withCarried(written, questionTypeOf(written), (from) =>
      namesSource(from) ? byName.get(nameKey(from.name)) : byId.get(from.elementId),
    );
    byId.set(question.elementId, question);
    if (question.name !== undefined) byName.set(nameKey(question.name), question);
  }
  return byName;
}

/** Whether a caller names the question by its name. */
export const namesSource = (from: ChoicesFrom | { name: string }): from is { name: string } => "name" in from;

/**
 * Resolves the conditions of a question, its choices and rows, and where it takes choices from. A question without
 * names stays the same object.
 */
export function resolveConditions(question: Question, resolve: ResolveCondition): Question {
  const { logic } = question;
  const resolved = logic && mapConditions(logic, resolve);
  const from = logic?.choicesFrom;
  // It names a question as a comparison does.
  const source = from && (resolve(from as unknown as Condition) as unknown as ChoicesFrom);
  if (resolved === logic && source === from) return question;
  return withLogic(question, { ...resolved, ...(source && { choicesFrom: source }) });
}
