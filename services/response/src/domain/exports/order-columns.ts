import { writtenName, type ExportColumn, type ExportLabels, type QuestionCell } from "@canvass/questions";
import type { CollectedRow } from "./collected-row.ts";
import type { MergedQuestion } from "./merged-questions.ts";
import type { ShownOrders } from "./shown-orders.ts";

export interface OrderColumn extends ExportColumn {
  read: (row: CollectedRow) => QuestionCell;
}

const parts = { choices: "order", rows: "rowOrder", columns: "columnOrder" };

/** Returns a column for each shuffled list of a question: its entries in the order that the respondent saw. */
export function orderColumns({ question }: MergedQuestion, orders: ShownOrders, labels: ExportLabels): OrderColumn[] {
  return orders.of(question).map(({ list, read }) => {
    const names = new Map(
      (question[list] ?? []).map(({ id, text }) => [id, writtenName({ id, label: text }, labels)] as const),
    );
    return {
      id: `${question.questionId}.${parts[list]}`,
      text: `${question.text ?? ""}: Order of ${list}`,
      kind: "list",
      measure: "nominal",
      values: [],
      read: ({ 5: versionNumber, 12: seed = null }) => read(versionNumber, seed)?.map((id) => names.get(id)!) ?? null,
    };
  });
}
