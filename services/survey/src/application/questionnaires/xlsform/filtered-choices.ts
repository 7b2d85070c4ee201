import type { JsonObject } from "@canvass/values";
import { parseExpression } from "../expressions/parse-expression.ts";
import { conditionOrReason } from "../expressions/read-condition.ts";
import { toCondition } from "../expressions/to-condition.ts";
import { change, type ReportItem } from "../report.ts";
import { plainCell, type SheetRow } from "./columns.ts";
import type { FormChoice, FormList } from "./choice-lists.ts";
import { constantOf, withColumns, withoutConstants, xpath, xpathCall } from "./expressions.ts";
import { templateOf, type Form } from "./form.ts";

/** Returns the choices of a question. `choice_filter`, with the cells of a choice's own rows, becomes its `showIf`. */
export function filteredChoices(form: Form, row: SheetRow, { choices }: FormList, item: ReportItem): JsonObject[] {
  const filter = plainCell(row, "choice_filter");
  const shown = new Map<FormChoice, JsonObject>();
  const never = new Set<FormChoice>();
  const failed =
    filter === ""
      ? undefined
      : conditionOrReason(() => {
          const expression = parseExpression(filter, xpath);
          for (const choice of choices) {
            const own = choice.rows.map((row) => withColumns(expression, (name) => plainCell(row, name)));
            const asked = own.filter((each) => constantOf(each) === undefined).map(withoutConstants);
            if (own.some((each) => constantOf(each) === true)) continue;
            if (asked.length === 0) never.add(choice);
            else
              shown.set(
                choice,
                toCondition(asked.length === 1 ? asked[0]! : { kind: "or", parts: asked }, {
                  find: (name) => form.asked.get(name),
                  call: xpathCall,
                }),
              );
          }
          return {};
        });
  const reason = never.size === choices.length ? "leaves no choice" : failed;
  const isFiltered = typeof reason !== "string";
  if (!isFiltered) change(item, `choice_filter is left out, since it ${reason}`);
  return choices
    .filter((choice) => !isFiltered || !never.has(choice))
    .map((choice) => ({
      key: choice.key,
      ...codeOf(choice.code, item),
      text: templateOf(form, choice.text, item),
      ...(isFiltered && shown.has(choice) && { showIf: shown.get(choice) }),
    }));
}

/** Returns the code by which exports write a choice; none, which `item` reports, if no code may be so. */
function codeOf(code: string, item: ReportItem): { code?: string } {
  if (code === "" || /^[^\s\p{C}]{1,32}$/u.test(code)) return code === "" ? {} : { code };
  change(item, `the code ${code.slice(0, 40)} is left out: codes have no blanks and at most 32 characters`);
  return {};
}
