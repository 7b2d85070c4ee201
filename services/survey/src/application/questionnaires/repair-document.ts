import { refuseViolations, type Violation } from "@canvass/inputs";
import { finish, noFormer } from "@canvass/questions";
import { isJsonObject, type JsonObject } from "@canvass/values";
import { digestText } from "../../domain/digest-text.ts";
import { readingSurveyDocument } from "../../domain/read-survey-document.ts";
import type { Questionnaire } from "./questionnaire.ts";
import { change, leaveOut } from "./report.ts";

const mostRounds = 50;

interface Round {
  /** Elements and fields. They leave the document after the round, so that its violations name the right places. */
  removed: Set<object>;
  /** Paths of what was removed or escaped. Further violations there wait for the next round. */
  settled: Set<string>;
}

/**
 * Removes the invalid parts of a document. Reports those of pages, elements and fields with the message of the survey's
 * check. Throws `validation_failed` for violations that no removal solves, such as too many questions.
 */
export function repairDocument(questionnaire: Questionnaire): void {
  for (let round = 0; ; round += 1) {
    const violations = violationsOf(questionnaire);
    if (violations.length === 0) return;
    const thisRound: Round = { removed: new Set(), settled: new Set() };
    const isChanged = violations
      .map(({ path, message }) => removePart(questionnaire, path.split("."), message, thisRound))
      .includes(true);
    dropRemoved(questionnaire, thisRound);
    if (!isChanged || round >= mostRounds)
      refuseViolations(violations.map(({ path, message }) => ({ path: `survey.${path}`, message })));
  }
}

function violationsOf({ document }: Questionnaire): Violation[] {
  let ids = 0;
  const fresh = { newId: () => String((ids += 1)).padStart(16, "0"), isAnswered: () => false, digest: digestText };
  return finish(readingSurveyDocument(document, noFormer, fresh)).violations;
}

function dropRemoved({ document }: Questionnaire, { removed }: Round): void {
  const isLeft = (entry: object) => !removed.has(entry);
  document.fields = document.fields.filter(isLeft);
  for (const page of document.pages) page.elements = page.elements.filter(isLeft);
}

/** Removes the smallest part that contains a path. Returns whether there was one. */
function removePart(questionnaire: Questionnaire, steps: string[], message: string, round: Round): boolean {
  const { document } = questionnaire;
  const [head = "", at = "", part = "", index = "", ...rest] = steps;
  if (head === "fields" && at !== "") return removeField(questionnaire, Number(at), message, round);
  if (head === "settings") return removePlace(document.settings, steps.slice(1));
  if (head === "translations") return removePlace(document, steps.slice(0, 3));
  if (head !== "pages") return false;
  const page = document.pages[Number(at)];
  if (!page) return false;
  if (part !== "elements") {
    const place = part === "translations" ? ["translations", index, rest.join(".")] : [part];
    const path = steps.slice(0, 3).join(".");
    if (round.settled.has(path)) return true;
    if (part === "title" && escapeBraces(page, ["title", "translations"])) {
      round.settled.add(path);
      return true;
    }
    const isKept = part !== "" && part !== "key" && removePlace(page, place);
    if (isKept) reportChange(questionnaire, page, part, message);
    return isKept;
  }
  const element = index === "" ? undefined : page.elements[Number(index)];
  if (!element) return false;
  const [field = "", ...within] = rest;
  const path = steps.slice(0, 4).join(".");
  const place = partOf(field, within);
  const partPath = place && `${path}.${place.join(".")}`;
  if (round.settled.has(path) || (partPath && round.settled.has(partPath))) return true;
  if (partPath && removePlace(element, place)) {
    round.settled.add(partPath);
    reportChange(questionnaire, element, field, message);
    return true;
  }
  round.settled.add(path);
  if (escapeBraces(element)) reportChange(questionnaire, element, "placeholder", message);
  else removeEntry(questionnaire, element, `${field === "" ? "it" : field} ${message}`, round);
  return true;
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

function removeField(questionnaire: Questionnaire, at: number, message: string, round: Round): boolean {
  const field = questionnaire.document.fields[at];
  if (field && !round.removed.has(field)) removeEntry(questionnaire, field, message, round);
  return field !== undefined;
}

function removeEntry({ sources }: Questionnaire, entry: object, message: string, { removed }: Round): void {
  removed.add(entry);
  const item = sources.get(entry);
  if (item) leaveOut(item, message);
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
