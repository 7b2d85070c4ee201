import { writtenName, type ExportColumn, type ExportLabels, type QuestionCell } from "@canvass/questions";
import type { NamedRow } from "./collected-row.ts";
import type { MergedQuestion } from "./merged-questions.ts";
import type { ReadOrder, ShownOrders } from "./shown-orders.ts";

export interface OrderColumn extends ExportColumn {
  read: (row: NamedRow) => QuestionCell;
}

const parts = { choices: "order", rows: "rowOrder", columns: "columnOrder" };

/** Returns a column for each page whose elements are shuffled, for each whose items are, and for each block. */
export function pageOrderColumns(orders: ShownOrders, labels: ExportLabels): OrderColumn[] {
  return orders.pages().map(({ page: { pageId, title, block }, what, names, read }) => {
    const written = new Map(Array.from(names, ([id, label]) => [id, writtenName({ id, label }, labels)] as const));
    if (what === "pages") return orderColumn(`${block}.pageOrder`, `${block}: Order of pages`, read, written);
    const id = `${pageId}.${what === "items" ? "itemOrder" : "order"}`;
    return orderColumn(id, `${title ?? "Page"}: Order of ${what}`, read, written);
  });
}

/** Returns a column for each shuffled list of a question: its entries in the order that the respondent saw. */
export function orderColumns({ question }: MergedQuestion, orders: ShownOrders, labels: ExportLabels): OrderColumn[] {
  return orders.of(question).map(({ list, read }) => {
    const names = new Map(
      (question[list] ?? []).map(({ id, text }) => [id, writtenName({ id, label: text }, labels)] as const),
    );
    return orderColumn(
      `${question.questionId}.${parts[list]}`,
      `${question.text ?? ""}: Order of ${list}`,
      read,
      names,
    );
  });
}

function orderColumn(id: string, text: string, read: ReadOrder, names: ReadonlyMap<string, string>): OrderColumn {
  return {
    id,
    text,
    kind: "list",
    measure: "nominal",
    values: [],
    read: ({ versionNumber, orderSeed }) => read(versionNumber, orderSeed)?.map((entry) => names.get(entry)!) ?? null,
  };
}
