import { isJsonObject } from "@canvass/values";
import type { TSchema } from "typebox";
import { questionTypeOf } from "../catalogue.ts";
import type { Question } from "../definition.ts";
import type { ExportColumn, ExportName, QuestionCell } from "../question-type.ts";
import { perQuestion } from "../type-settings.ts";
import type { Category, Measure, Variable } from "./variable.ts";

/**
 * Returns what tables can count of a question, in its order: one variable, or one for each part of an answer. Texts and
 * files have none. A merged question reads the answers of all its versions.
 */
export const variablesOf = perQuestion((question: Question): readonly Variable[] => {
  const type = questionTypeOf(question);
  if (!type.answerable) return [];
  const indexed = type.exportColumns(question).map((column, index) => ({ column, index }));
  const shown = indexed.filter(({ column }) => column.about === undefined);
  const parts = Map.groupBy(shown, ({ column }) => pathOf(column));
  const retired = retiredIds(question);
  return [...parts.values()].flatMap((columns): Variable[] => {
    const [{ column, index }] = columns as [(typeof columns)[0]];
    const about = { text: column.part?.question.text ?? column.text, place: column.part?.path ?? [] };
    const cellsOf = (value: unknown) => type.exportCells(question, value);
    const categoriesOf = (names: readonly ExportName[]) =>
      names.map(({ id, label, entryCode }): Category => {
        return { id, label, ...(entryCode !== undefined && { entryCode }), isRetired: retired.has(id) };
      });
    if (column.chosen) {
      const categories = categoriesOf(columns.map((each) => each.column.chosen!));
      const read = (value: unknown) => chosenIn(cellsOf(value), columns, categories);
      return [{ ...about, kind: "multiple" as const, categories, measures: shares, read }];
    }
    const cell = (value: unknown) => cellsOf(value)[index] ?? null;
    switch (column.kind) {
      case "value": {
        const read = (value: unknown) => oneId(cell(value));
        return [{ ...about, kind: "single" as const, categories: categoriesOf(column.values), measures: shares, read }];
      }
      case "number": {
        const steps = column.part ? [] : stepsOf(question, column);
        if (steps.length === 0) {
          // Results count an entry that an answer leaves out as 0; exports leave its cell empty.
          const ofOmitted = (value: unknown) => (type.countsAmounts && isJsonObject(value) ? 0 : null);
          const read = (value: unknown) => cell(value) ?? ofOmitted(value);
          return [{ ...about, kind: "number" as const, categories: [], measures: means, read }];
        }
        const measures: Measure[] = type.distributionShape === "nps" ? ["nps", "mean", "share"] : ["mean", "share"];
        const read = (value: unknown) => oneId(cell(value));
        return [{ ...about, kind: "single" as const, categories: steps, measures, read }];
      }
      case "date":
      case "time":
      case "datetime":
        return [{ ...about, kind: column.kind, categories: [], measures: [], read: cell }];
      default:
        return [];
    }
  });
});

const shares: readonly Measure[] = ["share"];
const means: readonly Measure[] = ["mean"];
const mostSteps = 50;

const pathOf = ({ part }: ExportColumn): string => (part?.path ?? []).map(({ id }) => id).join(":");

const oneId = (cell: QuestionCell): readonly string[] | null => (cell === null ? null : [String(cell)]);

function chosenIn(
  cells: readonly QuestionCell[],
  columns: readonly { index: number }[],
  categories: readonly Category[],
): readonly string[] | null {
  const chosen = categories.filter((_, at) => cells[columns[at]!.index] === 1);
  const isAnswered = columns.some(({ index }) => (cells[index] ?? null) !== null);
  return isAnswered ? chosen.map(({ id }) => id) : null;
}

/** Returns all steps of a scale of whole numbers, such as a rating; none for other numbers. */
function stepsOf(question: Question, { measure, values }: ExportColumn): Category[] {
  const type = questionTypeOf(question);
  const { type: kind, minimum, maximum } = (type.answerSchema?.(question) ?? type.valueSchema) as WholeNumbers;
  const isScale = measure === "ordinal" && kind === "integer" && minimum !== undefined && maximum !== undefined;
  if (!isScale || maximum - minimum >= mostSteps) return [];
  const labels = new Map(values.map(({ id, label }) => [id, label]));
  return Array.from({ length: maximum - minimum + 1 }, (_, step) => {
    const id = String(minimum + step);
    const label = labels.get(id);
    return { id, label: label ? `${id} ${label}` : id, isRetired: false };
  });
}

type WholeNumbers = TSchema & { type?: string; minimum?: number; maximum?: number };

function retiredIds({ choices = [], columns = [], typeSettings }: Question): ReadonlySet<string> {
  const entries = [...choices, ...columns, ...columns.flatMap(({ options = [] }) => options)];
  const ids = entries.filter(({ retired }) => retired).map(({ id }) => id);
  const { choiceId, enabled } = (typeSettings["other"] ?? {}) as { choiceId?: string | null; enabled?: boolean };
  return new Set(choiceId && enabled === false ? [...ids, choiceId] : ids);
}
