import { joinPath, type Violation } from "@canvass/inputs";
import {
  findElement,
  findEntry,
  indexOf,
  nameKey,
  variablesOf,
  type ExportName,
  type Question,
  type SurveyDefinition,
  type Variable,
  type VariableInput,
} from "@canvass/questions";
import { mostCategories, type AxisInput } from "./axis-input.ts";
import { groupsOf } from "./groups-of.ts";

export interface ShownEntry {
  id: string;
  label: string;
  code?: string;
}

/** A variable as responses show it. */
export interface ShownVariable {
  elementId?: string;
  name?: string;
  field?: string;
  known?: string;
  text: string;
  part?: ShownEntry[];
  item?: ShownEntry;
  /** Whether a respondent may be in several categories. */
  isMultiple: boolean;
}

export interface ReadVariable {
  axis: AxisInput;
  shown: ShownVariable;
  /** Whether its values are numbers without categories, of a question or of a hidden field. */
  isNumber: boolean;
  /** Set for questions only. */
  variable?: Variable;
}

type Report = (field: string, message: string) => void;

const sources = ["elementId", "name", "field", "known"] as const;

/** Reads a variable of a table by the published version. Adds all violations; undefined if there are any. */
export function readVariable(
  given: VariableInput,
  path: string,
  definition: SurveyDefinition,
  violations: Violation[],
): ReadVariable | undefined {
  const before = violations.length;
  const report: Report = (field, message) =>
    violations.push({ path: field === "" ? path : path === "" ? field : joinPath(path, field), message });
  const named = sources.filter((source) => given[source] !== undefined);
  if (named.length !== 1) report(named.length === 0 ? "" : named[1]!, `must be one of ${sources.join(", ")}`);
  const read = named.length === 1 ? readSource(given, path, definition, report) : undefined;
  if (read) checkGroups(given, read, report);
  return violations.length === before ? read : undefined;
}

function readSource(
  given: VariableInput,
  path: string,
  definition: SurveyDefinition,
  report: Report,
): ReadVariable | undefined {
  const { field, known } = given;
  if (field === undefined && known === undefined) return readAnswer(given, path, definition, report);
  for (const name of ["part", "item"] as const) {
    if (given[name] !== undefined) report(name, "goes with a question only");
  }
  const axis = { categories: [], ...(given.edges && { edges: given.edges }), path };
  if (known !== undefined) {
    return { axis: { ...axis, source: { known } }, shown: { known, text: known, isMultiple: false }, isNumber: false };
  }
  const found = indexOf(definition).fields.get(field!);
  if (!found) {
    report("field", "must name a hidden field of the survey");
    return undefined;
  }
  const shown = { field: found.name, text: found.name, isMultiple: false };
  return { axis: { ...axis, source: { field: found.name } }, shown, isNumber: found.type === "number" };
}

function readAnswer(
  given: VariableInput,
  path: string,
  definition: SurveyDefinition,
  report: Report,
): ReadVariable | undefined {
  const source = given.elementId === undefined ? "name" : "elementId";
  const placed = findElement(definition, given.elementId ?? elementOfName(definition, given.name!)?.elementId ?? "");
  if (!placed) {
    report(source, "must name a question of the survey");
    return undefined;
  }
  const { question, page } = placed;
  const variables = variablesOf(question);
  if (variables.length === 0) {
    report(source, "must name a question that asks for choices, a scale, numbers or dates");
    return undefined;
  }
  const variable = findPart(variables, given.part ?? [], report);
  const item = readItem(page.loop && findElement(definition, page.loop.elementId)?.question, given.item, report);
  if (!variable || item === undefined) return undefined;
  const { elementId, name } = question;
  const { kind, place, text, categories } = variable;
  const kept = categories.filter(({ isRetired }) => !isRetired).length;
  if (kept > mostCategories) report(source, `has ${kept} categories; a table takes ${mostCategories}`);
  return {
    axis: {
      source: { elementId, itemId: item?.id ?? null, place: place.map(({ id }) => id) },
      categories,
      ...(given.edges && { edges: given.edges }),
      ...(given.unit && { unit: given.unit }),
      path,
    },
    shown: {
      elementId,
      ...(name !== undefined && { name }),
      text,
      ...(place.length > 0 && { part: place.map(shownEntry) }),
      ...(item && { item: shownEntry(item) }),
      isMultiple: kind === "multiple",
    },
    isNumber: kind === "number",
    variable,
  };
}

const elementOfName = ({ pages }: SurveyDefinition, name: string): Question | undefined =>
  pages
    .flatMap(({ elements }) => elements)
    .find((each) => each.name !== undefined && nameKey(each.name) === nameKey(name));

export const shownEntry = ({ id, label, entryCode }: ExportName): ShownEntry => ({
  id,
  label,
  ...(entryCode !== undefined && { code: entryCode }),
});

function findPart(variables: readonly Variable[], part: readonly string[], report: Report): Variable | undefined {
  let found = variables;
  for (const [index, word] of part.entries()) {
    const entries = found.flatMap(({ place }) => place.slice(index, index + 1));
    const entry = findEntry(entries, word);
    if (!entry) {
      report(`part.${index}`, entries.length === 0 ? "is one part too many" : `must be one of ${listed(entries)}`);
      return undefined;
    }
    found = found.filter(({ place }) => place[index]?.id === entry.id);
  }
  if (found.length === 1 && found[0]!.place.length === part.length) return found[0];
  report(
    "part",
    `must name one more of its parts: ${listed(found.flatMap(({ place }) => place.slice(part.length, part.length + 1)))}`,
  );
  return undefined;
}

/** Returns null outside of loops, undefined after a report. */
function readItem(
  loop: Question | null | undefined,
  word: string | undefined,
  report: Report,
): ExportName | null | undefined {
  if (!loop) {
    if (word === undefined) return null;
    report("item", "goes with a question in a loop only");
    return undefined;
  }
  const items = variablesOf(loop)[0]?.categories ?? [];
  const item = word === undefined ? undefined : findEntry(items, word);
  if (!item) report("item", `must be one of ${listed(items)}`);
  return item;
}

const mostListed = 10;

function listed(entries: readonly ExportName[]): string {
  const names = [...new Set(entries.map(({ label }) => label))];
  const rest = names.length > mostListed ? ", …" : "";
  return names.slice(0, mostListed).join(", ") + rest;
}

function checkGroups({ edges, unit }: VariableInput, { isNumber, variable }: ReadVariable, report: Report): void {
  if (edges && !isNumber) report("edges", "goes with numbers only");
  if (edges?.some((edge, index) => index > 0 && edge <= edges[index - 1]!)) report("edges", "must ascend");
  if (unit === undefined) return;
  const { kind } = variable ?? {};
  if (kind !== "date" && kind !== "time" && kind !== "datetime") report("unit", "goes with dates and times only");
  else if ((unit === "hour") !== (kind === "time"))
    report("unit", kind === "time" ? "must be hour" : "must be day, month or year");
}

/** The categories that a request can name; undefined where values are not known before answers are read. */
export function namedCategories({ axis, variable }: ReadVariable): readonly ExportName[] | undefined {
  if (axis.edges) return groupsOf(axis.edges);
  return variable && axis.categories.length > 0 ? axis.categories : undefined;
}
