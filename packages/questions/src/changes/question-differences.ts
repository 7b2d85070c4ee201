import { isSameJson } from "@canvass/values";
import type { Static, TObject } from "typebox";
import { questionTypeOf } from "../catalogue.ts";
import { affectsResults, type ChangeClass } from "../change-class.ts";
import { withoutNumber } from "../constraint-numbers.ts";
import type { ElementLogic, Question } from "../definition.ts";
import { withDefaults } from "../type-settings.ts";
import type { AnsweredCounts, ChangeKind } from "./change.ts";
import { entryDifferences } from "./entry-differences.ts";
import { translationDifferences, type DifferenceDraft } from "./translation-differences.ts";
import { nameOfQuestion, quoted, valueInWords } from "./wording.ts";

const insteadOf: Partial<Record<ChangeClass, string>> = {
  breaking: "; where it was answered, add a new question instead",
};

export function questionDifferences(before: Question, after: Question, answered: AnsweredCounts): DifferenceDraft[] {
  if (before.type !== after.type) return [typeDifference(before, after, answered)];
  return [
    ...fieldDifferences(before, after, answered),
    ...logicDifferences(before, after, answered),
    ...settingDifferences(before, after, answered),
    ...entryDifferences(before, after, answered),
    ...translationDifferences(before, after, `Changes translations of ${nameOfQuestion(after)}.`),
  ];
}

/** A new type makes a different question, so nothing else is compared. */
function typeDifference(before: Question, after: Question, { responses }: AnsweredCounts): DifferenceDraft {
  const [old, now] = [questionTypeOf(before).typeName, questionTypeOf(after).typeName];
  return buildDifference(
    "type_changed",
    "breaking",
    responses,
    "",
    old,
    now,
    `Turns ${nameOfQuestion(before)} from ${old} into ${now}`,
  );
}

function fieldDifferences(before: Question, after: Question, { responses }: AnsweredCounts): DifferenceDraft[] {
  const [old, now] = [before.responseValidation.required, after.responseValidation.required];
  const differences: DifferenceDraft[] = [];
  if (before.name !== after.name) {
    const [was, is] = [before.name ?? null, after.name ?? null];
    const message = `Changes the name of ${nameOfQuestion(after)}${fromTo(was, is)}`;
    differences.push(buildDifference("question_renamed", affectsResults, responses, "", was, is, message));
  }
  if (before.text !== after.text) {
    differences.push(
      buildDifference(
        "question_reworded",
        affectsResults,
        responses,
        "",
        before.text,
        after.text,
        rewording(before, after),
      ),
    );
  }
  if (before.helpText !== after.helpText) {
    const message = `Changes the help text of ${nameOfQuestion(after)}`;
    differences.push(buildDifference("help_text_changed", "safe", 0, "", before.helpText, after.helpText, message));
  }
  if (old !== now) {
    const message = now
      ? `Makes an answer to ${nameOfQuestion(after)} required`
      : `Lets people pass ${nameOfQuestion(after)} over`;
    differences.push(buildDifference("required_changed", affectsResults, responses, "", old, now, message));
  }
  return differences;
}

const logicKinds = [
  ["showIf", "show_if_changed", "Changes who is shown"],
  ["requiredIf", "required_if_changed", "Changes who must answer"],
  ["constraints", "constraints_changed", "Changes which answers are valid to"],
  ["entries", "entries_show_if_changed", "Changes who is shown which choices or rows of"],
  ["defaultValue", "default_changed", "Changes the default answer to"],
  ["choicesFrom", "choices_from_changed", "Changes from which question the choices are taken of"],
] as const;

function logicDifferences(before: Question, after: Question, { responses }: AnsweredCounts): DifferenceDraft[] {
  return logicKinds.flatMap(([field, kind, change]): DifferenceDraft[] => {
    const [old, now] = [comparedOf(before, field), comparedOf(after, field)];
    if (isSameJson(old, now)) return [];
    return [buildDifference(kind, affectsResults, responses, "", old, now, `${change} ${nameOfQuestion(after)}`)];
  });
}

/** The number of a constraint only names its translations. */
function comparedOf({ logic }: Question, field: keyof ElementLogic): unknown {
  if (field !== "constraints") return logic?.[field] ?? null;
  return logic?.constraints?.map(withoutNumber) ?? null;
}

function rewording(before: Question, after: Question): string {
  return after.text === null
    ? `Removes the text of ${nameOfQuestion(before)}`
    : `Rewords ${nameOfQuestion(before)} to ${quoted(after.text)}`;
}

function fromTo(before: unknown, after: unknown): string {
  const [from, to] = [valueInWords(before), valueInWords(after)];
  return from === null || to === null ? "" : ` from ${from} to ${to}`;
}

function settingDifferences(
  before: Question,
  after: Question,
  { responses, byKey }: AnsweredCounts,
): DifferenceDraft[] {
  const type = questionTypeOf(after);
  const complete = ({ typeSettings }: Question) => withDefaults(type.settings, typeSettings) as Static<TObject>;
  const [old, now] = [complete(before), complete(after)] as [Record<string, unknown>, Record<string, unknown>];
  const effects = type.settingEffects(old, now);
  return Object.keys(type.settings.properties).flatMap((key): DifferenceDraft[] => {
    if (isSameJson(old[key], now[key])) return [];
    const effect = effects[key] ?? null;
    if (effect === null) return [];
    const { class: worst, entryId } = typeof effect === "string" ? { class: effect, entryId: null } : effect;
    const named = entryId === null ? responses : Math.min(byKey.get(entryId) ?? 0, responses);
    const affected = worst === "safe" ? 0 : named;
    const message = `Changes the setting ${key} of ${nameOfQuestion(after)}${fromTo(old[key], now[key])}`;
    return [
      buildDifference("setting_changed", worst, affected, key, { [key]: old[key] }, { [key]: now[key] }, message),
    ];
  });
}

function buildDifference(
  kind: ChangeKind,
  worst: ChangeClass,
  affectedResponses: number,
  subject: string,
  before: unknown,
  after: unknown,
  message: string,
): DifferenceDraft {
  const change = { kind, class: affectedResponses > 0 ? worst : ("safe" as const), affectedResponses, subject };
  return { ...change, before, after, message: `${message}${insteadOf[worst] ?? ""}.` };
}
