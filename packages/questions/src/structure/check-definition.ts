import { type Violation, violationsBelow } from "@canvass/inputs";
import { isBlank } from "@canvass/values";
import { questionTypeOf } from "../catalogue.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { indexOf } from "../definition-index.ts";
import { finish } from "../finish.ts";
import { fieldViolations } from "../fields/field-violations.ts";
import { logicFields } from "../element-logic.ts";
import { namesOf } from "../element-names.ts";
import { languageViolations } from "../conditions/language-violations.ts";
import { quotaViolations } from "../quotas/quota-violations.ts";
import { listNames } from "../list-names.ts";
import {
  addWeights,
  cellViolations,
  emptyWeight,
  listsWeight,
  pageWeight,
  questionWeight,
  repetitionViolations,
  weightViolations,
  type WeighedQuestion,
} from "../weight.ts";
import { pageLogicViolations } from "./logic-violations.ts";

const megabyte = 1_048_576;

export const issueSuggestions = {
  no_questions: "Add a question.",
  empty_text: "Word the question.",
  entries_missing: "Add an entry, or bring a retired one back.",
  loop_broken: "Name a choice question with several answers on an earlier page, or take the loop off.",
  display_logic_broken: "Let the condition ask questions before it, or delete it.",
  skip_logic_broken: "Point the rule at what there is, or delete it.",
  block_broken: "Put the pages of the block together without rules, or take one out of it.",
  carried_choices_broken: "Name an earlier question whose answers are choices, or give it choices of its own.",
  default_broken: "Let the default be an answer to the question, or take it away.",
  piping_broken: "Name an element that comes before, or take the placeholder out.",
  too_heavy: "Take entries or questions away, or split the survey.",
  file_too_large: "Ask for smaller files.",
  field_broken: "Rename the field, or correct its default.",
  quota_broken: "Point the quota at what there is, or take it away.",
  field_not_anonymous: "Take the field away, set its allowAnonymous, or collect with less anonymity.",
} as const;

export type DraftIssue = Violation & { code: keyof typeof issueSuggestions; suggestion: string };

export interface DefinitionLimits {
  /** Largest file of a respondent in bytes. Default: no limit. */
  mostFileBytes?: number;
  /** The survey collects with full anonymity. */
  isAnonymous?: boolean;
  /** Languages that the survey offers, its own first. Default: any. */
  languages?: readonly string[];
}

/** Returns every reason why a definition cannot be published. */
export function checkDefinition(definition: SurveyDefinition): DraftIssue[] {
  return finish(checkingDefinition(definition));
}

/** Like `checkDefinition`, but yields after each page and question. */
export function* checkingDefinition(
  definition: SurveyDefinition,
  limits: DefinitionLimits = {},
): Generator<void, DraftIssue[]> {
  const { pages } = definition;
  if (pages.every(({ elements }) => elements.length === 0)) {
    return [
      issue("no_questions")({
        path: "questions",
        message: "must have at least one question before the survey can be published",
      }),
    ];
  }
  const issues = [
    ...fieldIssues(definition, limits),
    ...quotaViolations(definition, "quotas").map(issue("quota_broken")),
    ...(limits.languages ? languageViolations(definition, limits.languages) : []).map(logicIssue),
  ];
  const { placed } = indexOf(definition);
  const weighed: WeighedQuestion[] = [];
  const held = [emptyWeight, listsWeight(definition)];
  for (const [index, page] of pages.entries()) {
    for (const [at, question] of page.elements.entries()) {
      const path = `pages.${index}.elements.${at}`;
      issues.push(...questionIssues(placed[index]![at]!.question, path, limits));
      weighed.push({ path, ...questionWeight(question) });
      yield;
    }
    issues.push(...violationsBelow(`pages.${index}`, pageLogicViolations(definition, index)).map(logicIssue));
    held.push(pageWeight(page));
    yield;
  }
  const overweight = weightViolations(addWeights(held), weighed);
  return [...issues, ...[...overweight, ...repetitionViolations(definition)].map(issue("too_heavy"))];
}

function fieldIssues(definition: SurveyDefinition, { isAnonymous = false }: DefinitionLimits): DraftIssue[] {
  const { fields = [] } = definition;
  const broken = fieldViolations(fields, namesOf(definition), "fields").map(issue("field_broken"));
  const named = fields.flatMap(({ allowAnonymous = false }, at) =>
    isAnonymous && !allowAnonymous
      ? { path: `fields.${at}.allowAnonymous`, message: "must be true, since the survey collects with full anonymity" }
      : [],
  );
  return [...broken, ...named.map(issue("field_not_anonymous"))];
}

function issue(code: DraftIssue["code"]): (violation: Violation) => DraftIssue {
  return (violation) => ({ ...violation, code, suggestion: issueSuggestions[code] });
}

const logicMembers: ReadonlySet<string> = new Set(logicFields);

function logicIssue(violation: Violation): DraftIssue {
  if (violation.path.startsWith("quotas")) return issue("quota_broken")(violation);
  const [, , part, , member = "", , field] = violation.path.split(".");
  if (part === "elements" && (member === "choicesFrom" || violation.path.endsWith("typeSettings.other.enabled"))) {
    return issue("carried_choices_broken")(violation);
  }
  const isOfEntryCondition = field === "showIf";
  const isOfText = part === "elements" && !isOfEntryCondition && (!logicMembers.has(member) || field === "message");
  if (isOfText || part === "title" || part === "translations") return issue("piping_broken")(violation);
  if (part === "elements" && member === "defaultValue") return issue("default_broken")(violation);
  if (part === "loop") return issue("loop_broken")(violation);
  if (part === "block") return issue("block_broken")(violation);
  return issue(part === "skipLogic" ? "skip_logic_broken" : "display_logic_broken")(violation);
}

function questionIssues(
  question: Question,
  path: string,
  { mostFileBytes = Infinity }: DefinitionLimits,
): DraftIssue[] {
  const type = questionTypeOf(question);
  const issues = cellViolations(type, question, path).map(issue("too_heavy"));
  if (question.text === null || isBlank(question.text)) {
    issues.push(issue("empty_text")({ path: `${path}.text`, message: "must not be empty" }));
  }
  if ((type.fileRules?.(question).maxBytes ?? 0) > mostFileBytes) {
    const message = `must be at most ${mostFileBytes / megabyte}, as much as this installation takes`;
    issues.push(issue("file_too_large")({ path: `${path}.typeSettings.maxSizeMb`, message }));
  }
  for (const name of listNames) {
    if (type.lists[name] && !question[name]?.some(({ retired }) => !retired)) {
      issues.push(issue("entries_missing")({ path: `${path}.${name}`, message: "must have at least one entry" }));
    }
  }
  return issues;
}
