import { createEntryKeys } from "../keys.ts";
import { addItem, type Questionnaire } from "../questionnaire.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { fitText, longest } from "../texts.ts";
import { ownCell, plainCell, type FormLanguages, type SheetRow } from "./columns.ts";

export interface FormChoice {
  key: string;
  code: string;
  text: string;
  row: SheetRow;
  translations: ReadonlyMap<string, string>;
}

export interface FormList {
  item: ReportItem;
  isUsed: boolean;
  choices: FormChoice[];
}

/** Reads the sheet `choices`. Each list is an item of the report. */
export function readChoiceLists(
  questionnaire: Questionnaire,
  rows: readonly SheetRow[],
  languages: FormLanguages,
): Map<string, FormList> {
  const lists = new Map<string, FormList & { keys: ReturnType<typeof createEntryKeys>; codes: Set<string> }>();
  for (const row of rows) {
    const name = plainCell(row, "list_name");
    if (name === "") continue;
    const list = lists.get(name) ?? {
      item: addItem(questionnaire, `choices row ${row.number}`, name),
      isUsed: false,
      choices: [],
      keys: createEntryKeys(),
      codes: new Set<string>(),
    };
    lists.set(name, list);
    const code = plainCell(row, "name");
    if (list.codes.has(code)) {
      change(list.item, `row ${row.number}: the choice ${code.slice(0, 40)} is there already`);
      continue;
    }
    list.codes.add(code);
    const text =
      fitText(ownCell(row, "label", languages), longest.entry, list.item) ?? fitText(code, longest.entry, list.item);
    if (text === undefined) {
      change(list.item, `row ${row.number}: a choice without label and name is left out`);
      continue;
    }
    for (const media of ["image", "audio", "video"])
      if (row.cells.has(media)) change(list.item, `${media} of choices is left out`);
    list.choices.push({
      key: list.keys.take(code || text),
      code,
      text,
      row,
      translations: translationsOf(row, languages, list.item),
    });
  }
  return lists;
}

function translationsOf(row: SheetRow, { others }: FormLanguages, item: ReportItem): ReadonlyMap<string, string> {
  return new Map(
    [...others].flatMap(([name, tag]): [string, string][] => {
      const text = fitText(row.cells.get("label")?.get(name), longest.entry, item);
      return text === undefined ? [] : [[tag, text]];
    }),
  );
}

/** Tells which lists no question uses. */
export function leaveUnused(lists: ReadonlyMap<string, FormList>): void {
  for (const { item, isUsed } of lists.values()) if (!isUsed) leaveOut(item, "no question of the survey uses it");
}
