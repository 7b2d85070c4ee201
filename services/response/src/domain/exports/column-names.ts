import type { ExportColumn, ExportName } from "@canvass/questions";
import type { MergedQuestion } from "./merged-questions.ts";
import { longestName, variableName } from "./variable-names.ts";

export interface ColumnName {
  name: string;
  /** Of the question, or of its repetition for an item. */
  group: string;
  /** The name of its multiple response set, for a column of a chosen entry. */
  setName?: string;
}

/** Names the columns of one question. `item` is null on a page that does not repeat. */
export type NameColumn = (column: ExportColumn, item: ExportName | null) => ColumnName;

/** Words that SPSS reserves. */
const reserved = ["all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"];
/** Prefix of the names of columns of contacts' attributes. */
const attributes = "contact_attributes_";
const idLength = variableName("0".repeat(16)).length;
/** A code that can be part of a name; other codes have characters that a name cannot have. */
const plainCode = /^[A-Za-z0-9_]+$/;

/**
 * Names columns after their questions and the codes of entries, and without them after ids, so that names differ
 * whatever their case, and a column has the same name whatever else is exported. `fixed` are names of other columns.
 */
export function createColumnNames(questions: readonly MergedQuestion[], fixed: readonly string[]) {
  const ofIds = new Set(questions.map(({ question }) => variableName(question.questionId)));
  const taken = new Set([...fixed.map((name) => name.toLowerCase()), ...reserved]);
  const isUsable = (key: string) =>
    key.length <= longestName && !taken.has(key) && !key.startsWith(attributes) && !ofIds.has(key.slice(0, idLength));
  const names = new Map<MergedQuestion, string>();
  // Newest first, so that a name belongs to the question that has it now.
  for (const nameAs of [(name: string) => name, (name: string) => `q_${name}`]) {
    for (const asked of questions) {
      if (asked.question.name === undefined || names.has(asked)) continue;
      const name = nameAs(asked.question.name);
      if (!isUsable(name.toLowerCase())) continue;
      names.set(asked, name);
      taken.add(name.toLowerCase());
    }
  }

  /** Undefined if the part's name is not usable, or begins with another question's name and `_`. */
  function partName(question: string, parts: readonly string[]): string | undefined {
    const name = [question, ...parts].join("_");
    const key = name.toLowerCase();
    if (!isUsable(key)) return undefined;
    for (let end = key.indexOf("_", question.length + 1); end > 0; end = key.indexOf("_", end + 1)) {
      if (taken.has(key.slice(0, end))) return undefined;
    }
    return name;
  }

  return (asked: MergedQuestion): NameColumn => {
    const question = names.get(asked);
    const [columnName, groupName, nameSet] = [createIdNames(), createIdNames(), createIdNames()];
    return (column, item) => {
      const { id, part, chosen, about } = column;
      const [questionId, ...others] = id.split(".") as [string, ...string[]];
      const path = part?.path ?? [];
      const parts = part
        ? [...path, ...(chosen ? [chosen] : [])].map(shortOf)
        : others.map((own) => (own === about?.id ? shortOf(about) : own));
      const named = (names: readonly string[]) => {
        if (question === undefined) return undefined;
        const whole = item ? [shortOf(item), ...names] : names;
        return whole.length === 0 ? question : partName(question, whole);
      };
      const name = columnName(id, named(parts));
      if (!part) return { name, group: groupName(id, name) };
      const group = groupName(questionId, named([]));
      if (!chosen) return { name, group };
      const setId = [questionId, ...path.map((entry) => entry.id)].join(".");
      return { name, group, setName: nameSet(setId, named(path.map(shortOf))) };
    };
  };
}

/**
 * Returns a function that names ids: always as the first time, and by `variableName` if no name is given or an earlier
 * id has it.
 */
function createIdNames(): (id: string, name: string | undefined) => string {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return (id, name) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const own = name === undefined || seen.has(name.toLowerCase()) ? variableName(id) : name;
    names.set(id, own);
    seen.add(own.toLowerCase());
    return own;
  };
}

const shortOf = ({ id, entryCode }: ExportName): string =>
  entryCode !== undefined && plainCode.test(entryCode) ? entryCode : id;
