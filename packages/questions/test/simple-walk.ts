import { answerKey } from "../src/answer-key.ts";
import type { Comparison, Condition, ContextCondition } from "../src/conditions/condition.ts";
import { comparable, satisfies } from "../src/conditions/operators.ts";
import { choicesAndOther } from "../src/chosen-choices.ts";
import type { Page, Question, SurveyDefinition } from "../src/definition.ts";
import { findElement, withCarriedChoices } from "../src/definition-index.ts";
import type { KnownAnswers } from "./survey-arbitrary.ts";

/** A second, simple reading of contract 6.9. It walks elements one by one and keeps what was shown. */
export function simpleWalk(definition: SurveyDefinition, answers: KnownAnswers) {
  const { pages } = withCarriedChoices(definition);
  const seen: { key: string; question: Question; page: Page; itemId: string | null }[] = [];
  const visits: { page: Page; itemId: string | null }[] = [];
  const [required, missing, broken]: [string[], string[], string[]] = [[], [], []];
  /** Entries that are not shown, by key. */
  const unseen = new Map<string, string[]>();
  /** What is left of an answer without them. */
  const leftAt = (key: string): unknown => {
    const value = answers.get(key);
    const gone = unseen.get(key) ?? [];
    const idOf = (entry: unknown) => (entry as { choiceId?: string } | null)?.choiceId ?? entry;
    if (Array.isArray(value)) {
      const left = value.filter((entry) => !gone.includes(idOf(entry) as string));
      return left.length === 0 && value.length > 0 ? undefined : left;
    }
    if (typeof value !== "object" || value === null) return gone.includes(value as string) ? undefined : value;
    const left = Object.fromEntries(Object.entries(value).filter(([id]) => !gone.includes(id)));
    return Object.keys(left).length === 0 ? undefined : left;
  };
  const valueAt = (key: string, question: Question): unknown => {
    const { type } = findElement({ pages }, question.elementId)!;
    const value = leftAt(key);
    if (value === undefined || type.isEmpty(value)) return undefined;
    return comparable(type.comparedAs ? type.comparedAs(question, value) : value);
  };
  const valuesOf = (elementId: string, page: Page, itemId: string | null) =>
    seen
      .filter((each) => each.question.elementId === elementId && (each.page !== page || each.itemId === itemId))
      .map(({ key, question }) => valueAt(key, question));
  const { fields, language } = answers.context;
  const compareKnown = (leaf: ContextCondition): boolean | undefined => {
    if ("field" in leaf) {
      const known = Object.hasOwn(fields, leaf.field) ? fields[leaf.field] : undefined;
      return known === undefined ? undefined : satisfies(comparable(known), leaf.operator, leaf.value);
    }
    if (language === "") return undefined;
    if (leaf.operator.endsWith("answered")) return leaf.operator === "answered";
    const isIn = [leaf.value].flat().some((tag) => language === tag || language.startsWith(`${String(tag)}-`));
    return leaf.operator.startsWith("not_") ? !isIn : isIn;
  };
  const compare = (leaf: Comparison, page: Page, itemId: string | null): boolean | undefined => {
    if (!("elementId" in leaf)) return compareKnown(leaf);
    const { question, type } = findElement({ pages }, leaf.elementId)!;
    let target = leaf.value;
    if (type.comparedAs) {
      const one = (value: unknown) => type.comparedAs!(question, value);
      target = Array.isArray(target) ? target.map(one) : one(target);
    }
    if (leaf.answerOf !== undefined) {
      const other = findElement({ pages }, leaf.answerOf)!;
      const times = visits.filter(
        (visit) => visit.page === other.page && (visit.page !== page || visit.itemId === itemId),
      );
      target = times.length === 1 ? valuesOf(leaf.answerOf, page, itemId)[0] : undefined;
      if (target === undefined) return undefined;
    }
    const results = valuesOf(leaf.elementId, page, itemId)
      .filter((value) => value !== undefined)
      .map((value) => satisfies(value, leaf.operator, target));
    if (results.length === 0) return undefined;
    return leaf.operator.startsWith("not_") ? results.every(Boolean) : results.some(Boolean);
  };
  const holdsAt = (condition: Condition, page: Page, itemId: string | null): boolean => {
    if ("all" in condition) return condition.all.every((part) => holdsAt(part, page, itemId));
    if ("any" in condition) return condition.any.some((part) => holdsAt(part, page, itemId));
    if ("not" in condition) return !holdsAt(condition.not, page, itemId);
    return compare(condition, page, itemId) ?? condition.operator.startsWith("not_");
  };
  /** 1 true, 0 false, 0.5 unknown: all is the least, any the greatest. */
  const degree = (condition: Condition, page: Page, itemId: string | null): number => {
    if ("all" in condition) return Math.min(...condition.all.map((part) => degree(part, page, itemId)));
    if ("any" in condition) return Math.max(...condition.any.map((part) => degree(part, page, itemId)));
    if ("not" in condition) return 1 - degree(condition.not, page, itemId);
    const result = compare(condition, page, itemId);
    if (result === undefined && condition.operator.endsWith("answered"))
      return condition.operator === "answered" ? 0 : 1;
    return result === undefined ? 0.5 : Number(result);
  };
  /** Choices that a question does not carry from the one that it takes them from. */
  const leftOut = ({ choices = [], logic }: Question, page: Page, itemId: string | null): string[] | undefined => {
    if (!logic?.choicesFrom) return undefined;
    const { elementId, which } = logic.choicesFrom;
    const source = seen.find(
      (each) => each.question.elementId === elementId && (each.page !== page || each.itemId === itemId),
    );
    const ids = choices.filter(({ retired }) => !retired).map(({ id }) => id);
    if (!source) return ids;
    const chosen = [leftAt(source.key) ?? []].flat().map((each) => (each as { choiceId?: string }).choiceId ?? each);
    return ids.filter((id) => {
      const wasShown = !unseen.get(source.key)!.includes(id);
      if (which === "shown") return !wasShown;
      return !wasShown || chosen.includes(id) === (which === "not_selected");
    });
  };
  const itemsOf = ({ loop }: Page): readonly (string | null)[] => {
    if (!loop) return [null];
    const source = seen.find(({ question, itemId }) => question.elementId === loop.elementId && itemId === null);
    const { type } = findElement({ pages }, loop.elementId)!;
    return source ? type.loopItems!(source.question, leftAt(source.key) ?? null) : [];
  };
  for (let at = 0; at < pages.length;) {
    const current = pages[at]!;
    let next = at + 1;
    const items = current.showIf && !holdsAt(current.showIf, current, null) ? [] : itemsOf(current);
    for (const itemId of items) {
      const visit = { page: current, itemId };
      visits.push(visit);
      const before = seen.length;
      for (const question of current.elements) {
        const { logic = {}, responseValidation, elementId } = question;
        if (logic.showIf && !holdsAt(logic.showIf, current, itemId)) continue;
        const key = answerKey(elementId, itemId);
        const gone = Object.entries(logic.entries ?? {}).filter(([, each]) => !holdsAt(each, current, itemId));
        const left = leftOut(question, current, itemId);
        unseen.set(key, [...gone.map(([id]) => id), ...(left ?? [])]);
        if (left && left.length === question.choices!.filter(({ retired }) => !retired).length) continue;
        const lists = [choicesAndOther(question), question.rows ?? []].filter((list) => list.length > 0);
        if (lists.some((list) => list.every(({ id }) => unseen.get(key)!.includes(id)))) continue;
        const isAsked =
          responseValidation.required || (logic.requiredIf && holdsAt(logic.requiredIf, current, itemId)) || false;
        seen.push({ key, question, page: current, itemId });
        if (isAsked) required.push(key);
        if (isAsked && valueAt(key, question) === undefined) missing.push(key);
        for (const { must } of logic.constraints ?? []) if (degree(must, current, itemId) === 0) broken.push(key);
      }
      if (seen.length === before && current.elements.length > 0) {
        visits.pop();
        continue;
      }
      const jump = current.skipLogic.find((each) => holdsAt(each.when, current, itemId));
      if (!jump) continue;
      next = jump.goTo === "end" ? pages.length : pages.findIndex(({ pageId }) => pageId === jump.goTo);
      break;
    }
    at = next;
  }
  const shown = seen.map(({ key }) => key);
  const hiddenEntries = shown.flatMap((key) => (unseen.get(key) ?? []).map((id) => `${key} ${id}`));
  return { shown, required, missing, broken, hiddenEntries };
}
