import { readSheets } from "../files/read-sheets.ts";
import { fileRefused } from "../files/file-refused.ts";
import { addItem, createQuestionnaire, type Questionnaire } from "../questionnaire.ts";
import { change, leaveOut } from "../report.ts";
import { fitText, longest } from "../texts.ts";
import { leaveOutUnused, readChoiceLists } from "./choice-lists.ts";
import { languagesOf, plainCell, rowsOf, type FormLanguages, type SheetRow } from "./columns.ts";
import type { Form } from "./form.ts";
import { readRow } from "./read-row.ts";

const sheetsRead = new Set(["survey", "choices", "settings", "left_out"]);

/** Reads an XLSForm (https://xlsform.org). Throws `validation_failed` for what is none. */
export async function readXlsform(file: Uint8Array): Promise<Questionnaire> {
  const sheets = await readSheets(file);
  const survey = sheets.get("survey");
  if (!survey) throw fileRefused("has no sheet of this name", "survey");
  const { headings, rows } = rowsOf(survey);
  if (!headings.some(({ name }) => name === "type"))
    throw fileRefused("has no column `type` in its first row", "survey");
  const choices = rowsOf(sheets.get("choices"), true);
  const questionnaire = createQuestionnaire();
  const [settings] = rowsOf(sheets.get("settings")).rows;
  const languages = languagesOf(headings, choices.headings, settings ? plainCell(settings, "default_language") : "");
  readSettings(questionnaire, settings, languages);
  for (const name of sheets.keys()) {
    if (!sheetsRead.has(name))
      leaveOut(addItem(questionnaire, `sheet ${name}`), "only the sheets survey, choices and settings are read");
  }
  const lists = readChoiceLists(questionnaire, choices.rows, languages);
  const form: Form = {
    questionnaire,
    lists,
    languages,
    asked: new Map(),
    fields: new Set(),
    groups: [],
    page: undefined,
  };
  for (const row of rows) readRow(form, row);
  for (const { item } of form.groups) change(item, "has no end");
  leaveOutUnused(lists);
  return questionnaire;
}

const settingsRead = new Set(["form_title", "default_language"]);
const settingsUnneeded = new Set(["form_id", "id_string", "version", "allow_choice_duplicates", "namespaces"]);

function readSettings(
  questionnaire: Questionnaire,
  row: SheetRow | undefined,
  { own, others, unknown }: FormLanguages,
): void {
  const { document } = questionnaire;
  const item = addItem(questionnaire, row ? `settings row ${row.number}` : "settings");
  const title = row && fitText(plainCell(row, "form_title") || plainCell(row, "title"), longest.name, item);
  document["name"] = title ?? "";
  document["language"] = own;
  const languages = [...others.values()];
  if (languages.length > 0) document.settings["locale"] = { languages, showSwitch: true };
  for (const name of unknown)
    change(item, `texts in ${name.slice(0, 60)} are left out: no language is known by that name, or it is there twice`);
  for (const name of row?.cells.keys() ?? []) {
    if (!settingsRead.has(name) && !settingsUnneeded.has(name) && name !== "title") change(item, `${name} is left out`);
  }
}
