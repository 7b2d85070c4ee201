import { createEntryKeys } from "../keys.ts";
import { addItem, type Questionnaire } from "../questionnaire.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { fitLabel } from "../form-markup.ts";
import { fitText, longest } from "../texts.ts";
import { ownCell, plainCell, type FormLanguages, type SheetRow } from "./columns.ts";

export interface FormChoice {
  key: string;
  code: string;
  text: string;
  /** Several where the form lists a choice once for each value of a filter. */
  rows: SheetRow[];
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
  const lists = new Map<
    string,
    FormList & { keys: ReturnType<typeof createEntryKeys>; known: Map<string, FormChoice> }
  >();
  for (const row of rows) {
    const name = plainCell(row, "list_name");
    if (name === "") continue;
    const list = lists.get(name) ?? {
      item: addItem(questionnaire, `choices row ${row.number}`, name),
      isUsed: false,
      choices: [],
      keys: createEntryKeys(),
      known: new Map<string, FormChoice>(),
    };
    lists.set(name, list);
    const code = plainCell(row, "name");
    const text =
      fitLabel(ownCell(row, "label", languages), longest.entry, list.item) ?? fitText(code, longest.entry, list.item);
    if (text === undefined) {
      change(list.item, `row ${row.number}: a choice without label and name is left out`);
      continue;
    }
    const before = list.known.get(code);
    if (before) {
      if (before.text === text) before.rows.push(row);
      else change(list.item, `row ${row.number}: the choice ${code.slice(0, 40)} is there already, with another label`);
      continue;
    }
    for (const media of ["image", "audio", "video"])
      if (row.cells.has(media)) change(list.item, `${media} of choices is left out`);
    const choice = {
      key: list.keys.take(code || text),
      code,
      text,
      rows: [row],
      translations: translationsOf(row, languages, list.item),
    };
    list.known.set(code, choice);
    list.choices.push(choice);
  }
  return lists;
}

function translationsOf(row: SheetRow, { others }: FormLanguages, item: ReportItem): ReadonlyMap<string, string> {
  return new Map(
    [...others].flatMap(([name, tag]): [string, string][] => {
      const text = fitLabel(row.cells.get("label")?.get(name), longest.entry, item);
      return text === undefined ? [] : [[tag, text]];
    }),
  );
}

/** Reports the lists that no question uses as left out. */
export function leaveOutUnused(lists: ReadonlyMap<string, FormList>): void {
  for (const { item, isUsed } of lists.values()) if (!isUsed) leaveOut(item, "no question of the survey uses it");
}
