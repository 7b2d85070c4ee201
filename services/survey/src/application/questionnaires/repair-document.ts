import { refuseViolations, type Violation } from "@canvass/inputs";
import { finish } from "@canvass/questions";
import { isJsonObject, type JsonObject } from "@canvass/values";
import { digestText } from "../../domain/digest-text.ts";
import { noSurvey, readingSurveyDocument } from "../../domain/read-survey-document.ts";
import type { Questionnaire } from "./questionnaire.ts";
import { change, leaveOut } from "./report.ts";

const mostRounds = 50;

/**
 * Removes the invalid parts of a document, and reports each with the message of the survey's check. Throws
 * `validation_failed` for violations that no removal solves, such as too many questions.
 */
export function repairDocument(questionnaire: Questionnaire): void {
  for (let round = 0; ; round += 1) {
    const violations = violationsOf(questionnaire);
    if (violations.length === 0) return;
    // From the last to the first, because a removal moves the later ones.
    const places = violations
      .map(({ path, message }) => ({ steps: path.split("."), message }))
      .toSorted(fromLastToFirst);
    const removed = new Set<object>();
    const isChanged = places
      .map(({ steps, message }) => removePart(questionnaire, steps, message, removed))
      .includes(true);
    if (!isChanged || round >= mostRounds)
      refuseViolations(violations.map(({ path, message }) => ({ path: `survey.${path}`, message })));
  }
}

function violationsOf({ document }: Questionnaire): Violation[] {
  let ids = 0;
  const fresh = { newId: () => String((ids += 1)).padStart(16, "0"), isAnswered: () => false, digest: digestText };
  return finish(readingSurveyDocument(document, noSurvey, fresh)).violations;
}

function fromLastToFirst({ steps: one }: { steps: string[] }, { steps: other }: { steps: string[] }): number {
  for (const [at, step] of one.entries()) {
    const against = other[at] ?? "";
    if (step === against) continue;
    const [left, right] = [Number(step), Number(against)];
    if (Number.isNaN(left) || Number.isNaN(right)) return step < against ? 1 : -1;
    return right - left;
  }
  return -1;
}

/** Removes the smallest part that contains a path. Returns whether there was one. */
function removePart(questionnaire: Questionnaire, steps: string[], message: string, removed: Set<object>): boolean {
  const { document } = questionnaire;
  const [head = "", at = "", part = "", index = "", ...rest] = steps;
  if (head === "fields" && at !== "") return removeEntry(questionnaire, document.fields, Number(at), message, removed);
  if (head === "settings") return removePlace(document.settings, steps.slice(1));
  if (head === "translations") return removePlace(document, steps.slice(0, 3));
  if (head !== "pages") return false;
  const page = document.pages[Number(at)];
  if (!page) return false;
  if (part !== "elements") {
    const place = part === "translations" ? ["translations", index, rest.join(".")] : [part];
    if (part === "title" && escapeBraces(page, ["title", "translations"])) return true;
    const isKept = part !== "" && part !== "key" && removePlace(page, place);
    if (isKept) reportChange(questionnaire, page, part, message);
    return isKept;
  }
  const element = index === "" ? undefined : page.elements[Number(index)];
  if (!element) return false;
  const [field = "", ...within] = rest;
  if (removed.has(element)) return true;
  const place = partOf(field, within);
  if (place && removePlace(element, place)) {
    reportChange(questionnaire, element, field, message);
    return true;
  }
  if (escapeBraces(element)) {
    reportChange(questionnaire, element, "placeholder", message);
    return true;
  }
  return removeEntry(questionnaire, page.elements, Number(index), `${field === "" ? "it" : field} ${message}`, removed);
}

/** Returns the path of the part that can be removed without its element; undefined if there is none. */
function partOf(field: string, within: readonly string[]): string[] | undefined {
  if (
    field === "showIf" ||
    field === "requiredIf" ||
    field === "defaultValue" ||
    field === "helpText" ||
    field === "name"
  )
    return [field];
  if (field === "constraints") return [field];
  if (field === "typeSettings" && within.length > 0) return [field, within[0]!];
  if (field === "translations" && within.length > 1) return [field, within[0]!, within.slice(1).join(".")];
  if (/^(choices|rows|columns)$/.test(field) && /^(showIf|code)$/.test(within[1] ?? ""))
    return [field, within[0]!, within[1]!];
  return undefined;
}

function removeEntry(
  questionnaire: Questionnaire,
  list: object[],
  at: number,
  message: string,
  removed: Set<object>,
): boolean {
  const entry = list[at];
  if (!entry) return false;
  list.splice(at, 1);
  removed.add(entry);
  const item = questionnaire.sources.get(entry);
  if (item) leaveOut(item, message);
  return true;
}

function reportChange({ sources }: Questionnaire, entry: object, part: string, message: string): void {
  const item = sources.get(entry);
  if (item) change(item, `${part} is left out: ${message}`);
}

/** Turns the placeholders of an entry into plain text. Returns whether there were any. */
function escapeBraces(entry: JsonObject, members = Object.keys(entry).filter((name) => name !== "key")): boolean {
  const before = JSON.stringify(entry);
  for (const name of members) if (Object.hasOwn(entry, name)) entry[name] = withEscapedBraces(entry[name]);
  return JSON.stringify(entry) !== before;
}

function withEscapedBraces(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/(?<!\\)\{\{/g, "\\{{");
  if (Array.isArray(value)) return value.map(withEscapedBraces);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withEscapedBraces(each)]));
}

/** Removes a nested member of an object. Returns whether it existed. */
function removePlace(object: JsonObject, place: readonly string[]): boolean {
  const [step = "", ...rest] = place;
  const isList = Array.isArray(object);
  if (!Object.hasOwn(object, step)) return false;
  const inner = object[step];
  if (rest.length > 0) return (isJsonObject(inner) || Array.isArray(inner)) && removePlace(inner as JsonObject, rest);
  if (isList) return false;
  return delete object[step];
}
