import type { JsonObject } from "@canvass/values";
import { addItem, addPage, type DraftPage } from "../questionnaire.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { fitLabel } from "../form-markup.ts";
import { longest } from "../texts.ts";
import { ownCell, plainCell, type SheetRow } from "./columns.ts";
import { conditionCell, templateOf, type Form, type OpenGroup } from "./form.ts";
import { readQuestion } from "./read-question.ts";
import { typeOfRow } from "./types.ts";

/** Reads a row of the sheet `survey`. */
export function readRow(form: Form, row: SheetRow): void {
  const { questionnaire } = form;
  const cell = plainCell(row, "type");
  const name = plainCell(row, "name");
  if (cell === "" && name === "") return;
  const type = typeOfRow(cell);
  const isDisabled = /^(yes|true|true\(\))$/i.test(plainCell(row, "disabled"));
  if (type.kind === "end") return isDisabled ? undefined : endGroup(form);
  const item = addItem(questionnaire, `survey row ${row.number}`, name);
  if (isDisabled) return leaveOut(item, "is disabled in the file");
  switch (type.kind) {
    case "group":
    case "repeat":
      return beginGroup(form, row, item, type.kind === "repeat");
    case "hidden":
      return readHidden(form, row, item);
    case "question":
      return readQuestion(form, row, item, type, () => pageOf(form));
    default:
      return leaveOut(item, type.reason!);
  }
}

function beginGroup(form: Form, row: SheetRow, item: ReportItem, repeats: boolean): void {
  const title = groupTitle(form, row, item);
  const shown = conditionCell(form, row, "relevant", item);
  const outer = form.groups.at(-1);
  const showIf = outer?.showIf && shown ? { all: [outer.showIf, shown] } : (shown ?? outer?.showIf);
  const loop = repeats ? loopOf(form, row, item) : outer?.loop;
  if (outer) change(item, `becomes a page of its own, behind that of ${outer.name.slice(0, 60)}: pages hold no groups`);
  if (row.cells.has("hint")) change(item, "its hint is left out: pages have none");
  const appearance = plainCell(row, "appearance");
  if (appearance !== "" && appearance !== "field-list")
    change(item, `the appearance ${appearance.slice(0, 60)} is left out`);
  const titles = Object.fromEntries(
    [...form.languages.others].flatMap(([name, tag]) => {
      const text = fitLabel(row.cells.get("label")?.get(name), longest.title, item);
      return text === undefined ? [] : [[tag, templateOf(form, text, item)] as const];
    }),
  );
  form.groups.push({ item, name: plainCell(row, "name"), title, titles, showIf, loop });
  form.page = undefined;
}

function groupTitle(form: Form, row: SheetRow, item: ReportItem): string | undefined {
  const text = fitLabel(ownCell(row, "label", form.languages), longest.title, item);
  if (text !== undefined) return templateOf(form, text, item);
  if (row.cells.has("label")) change(item, "its label is left out: it has none in the survey's own language");
  return undefined;
}

/** Returns the loop of a repeat: a page repeats only for the chosen items of a question. */
function loopOf(form: Form, row: SheetRow, item: ReportItem): JsonObject | undefined {
  const counted = /^count-selected\(\s*\$\{([\w.-]+)\}\s*\)$/.exec(plainCell(row, "repeat_count"))?.[1];
  const asked = counted === undefined ? undefined : form.asked.get(counted);
  if (asked?.kind === "choices") return { element: asked.key };
  change(
    item,
    "is asked once: a page repeats only for the chosen items of a question (repeat_count of count-selected)",
  );
  return undefined;
}

function endGroup(form: Form): void {
  form.groups.pop();
  form.page = undefined;
}

function pageOf(form: Form): DraftPage {
  form.page ??= newPage(form, form.groups.at(-1));
  return form.page;
}

function newPage({ questionnaire }: Form, group: OpenGroup | undefined): DraftPage {
  if (!group) return addPage(questionnaire, undefined, {});
  const { item, name, title, titles, showIf, loop } = group;
  const translations =
    title === undefined ? {} : Object.fromEntries(Object.entries(titles).map(([tag, text]) => [tag, { title: text }]));
  const page = {
    ...(title !== undefined && { title }),
    ...(loop && { loop }),
    ...(showIf && { showIf }),
    ...(Object.keys(translations).length > 0 && { translations }),
  };
  return addPage(questionnaire, item, page, name);
}

function readHidden(form: Form, row: SheetRow, item: ReportItem): void {
  const name = plainCell(row, "name");
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name)) return leaveOut(item, "has a name that no hidden field may have");
  const byDefault = plainCell(row, "default");
  const field = { name, type: "text", ...(byDefault !== "" && { default: byDefault }) };
  form.fields.add(name);
  form.questionnaire.document.fields.push(field);
  form.questionnaire.sources.set(field, item);
  change(item, "becomes a hidden field, which links give");
}
