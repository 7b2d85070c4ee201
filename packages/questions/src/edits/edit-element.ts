import { checkShape, type Violation } from "@canvass/inputs";
import { isJsonObject, type JsonObject } from "@canvass/values";
import { questionTypeOf } from "../catalogue.ts";
import { choicesAndOtherById } from "../chosen-choices.ts";
import type { Question } from "../definition.ts";
import { withConstraintNumbers } from "../element-logic.ts";
import type { ListContext } from "../list-input.ts";
import { violationsInRequest } from "../settings-violations.ts";
import { withKnownTranslations } from "../translations/known-translations.ts";
import type { ElementEdit } from "./element-edit.ts";
import { elementEdits, type ElementEditName } from "./element-edits.ts";

export interface EditedElement {
  question: Question;
  addedIds: string[];
  /** Removed entries with answers, which stay for results. */
  retiredIds: string[];
  removedIds: string[];
}

export type EditOutcome = EditedElement | { violations: Violation[] } | { missing: "choice" };

export function elementEditViolations(name: ElementEditName, input: unknown): Violation[] {
  const violations: Violation[] = [];
  checkShape(elementEdits[name].input, input, "", violations);
  return violations;
}

/**
 * Applies an edit, or returns why it cannot; `withContinuedTexts` completes it. `context.isAnswered` decides whether a
 * removed entry is retired.
 */
export function editElement(
  name: ElementEditName,
  question: Question,
  input: unknown,
  context: ListContext,
): EditOutcome {
  const edit: ElementEdit = elementEdits[name];
  if (!edit.fits(questionTypeOf(question)))
    return { violations: [{ path: "elementId", message: `is not ${edit.takes}` }] };
  const violations = name === "settings" ? [] : elementEditViolations(name, input);
  if (violations.length > 0) return { violations };
  const result = edit.apply(question, input as never, context);
  if (!("question" in result)) return result;
  return { question: result.question, ...entryChanges(question, result.question) };
}

/**
 * Completes an edited question whose texts and conditions have ids: its constraints continue those of `before`, and it
 * loses the translations of texts that it no longer has.
 */
export const withContinuedTexts = (before: Question, edited: Question): Question =>
  withKnownTranslations(withConstraintNumbers(edited, before));

/** Locates violations of an element's logic as in the body of the edit. */
export function violationsOfEdit(
  name: ElementEditName,
  violations: readonly Violation[],
  input: JsonObject,
): Violation[] {
  const { settings } = input;
  const isOtherKept = name === "settings" && isJsonObject(settings) && settings["typeSettings"] === undefined;
  return violationsInRequest(violations, "choicesFrom", (path) =>
    path === ofOther && isOtherKept ? undefined : placeInEdit(name, path),
  );
}

const ofOther = "typeSettings.other.enabled";

function placeInEdit(name: ElementEditName, path: string): string {
  if (path === ofOther) return name === "other" ? "enabled" : `settings.${path}`;
  const [, place, field] = /^((?:choices|rows)\.\d+)\.(.*)$/.exec(path) ?? [];
  if (place === undefined || field === undefined) return path;
  if (name === "choice") return field;
  return name === "settings" ? `settings.${path}` : path;
}

function entryChanges(before: Question, after: Question): Omit<EditedElement, "question"> {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  return {
    addedIds: [...now.keys()].filter((id) => !old.has(id)),
    retiredIds: [...now].filter(([id, retired]) => retired && old.get(id) === false).map(([id]) => id),
    removedIds: [...old.keys()].filter((id) => !now.has(id)),
  };
}

/** Returns by id whether an entry is retired. Other counts as retired while it is disabled. */
function entriesOf(question: Question): Map<string, boolean> {
  const { rows = [], columns = [] } = question;
  const options = columns.flatMap(({ options = [] }) => options);
  const entries = [...choicesAndOtherById(question).values(), ...rows, ...columns, ...options];
  return new Map(entries.map(({ id, retired }) => [id, retired]));
}
