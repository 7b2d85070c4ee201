import { placeOf, type Said } from "./naive-logic.ts";
import type { Person, Questionnaire } from "./questionnaire.ts";
import type { Element, Entry } from "./survey-document.ts";

/** A cell as texts show it, and as codes do. */
export interface Cell {
  text: string | number | null;
  code: string | number | null;
  isDate?: boolean;
  /** Of a column of texts. */
  isText?: boolean;
}

export type Row = Record<string, Cell>;

const empty: Cell = { text: null, code: null };
const same = (value: string | number | null): Cell => ({ text: value, code: value });
const words = (value: string | null): Cell => ({ ...same(value), isText: true });

/** Cells of completed respondents by id and by the names of columns (contract 7.14). */
export function expectedTable(questionnaire: Questionnaire, people: readonly Person[]): Record<string, Row> {
  const completed = people.filter(({ isCompleted }) => isCompleted);
  return Object.fromEntries(completed.map((person) => [person.respondentId, rowOf(questionnaire, person)]));
}

function rowOf({ document: { pages, fields = [] } }: Questionnaire, person: Person): Row {
  const cells: [string, Cell][] = [
    ["respondentId", words(person.respondentId)],
    ["status", { text: "Completed", code: 1 }],
    ["language", words(person.language)],
    ...fields.map(({ name, type }): [string, Cell] => [
      `field_${name}`,
      { ...same(person.fields[name] ?? null), isText: type === "text" },
    ]),
  ];
  for (const { element, name, said } of askedQuestions(pages, person)) cells.push(...cellsOf(element, name, said));
  return Object.fromEntries(cells);
}

/** Yields each element, of a page that repeats once for each item, with the name of its column and its answer. */
function* askedQuestions(pages: Questionnaire["document"]["pages"], { answers }: Person) {
  for (const { loop, elements } of pages) {
    const source = loop && pages.flatMap((page) => page.elements).find(({ key }) => key === loop.element);
    for (const element of elements) {
      for (const item of source?.choices ?? [null]) {
        const said = answers.get(placeOf(element.name, item?.key ?? null));
        yield { element, name: item ? `${element.name}_${item.code}` : element.name, said };
      }
    }
  }
}

function cellsOf(element: Element, name: string, said: Said | undefined): [string, Cell][] {
  const part = ({ code }: Entry, rest = "") => `${name}_${code.replace("-", "")}${rest}`;
  const { choices = [], rows = [], columns = [] } = element;
  if (element.typeSettings?.["multipleAnswers"]) {
    const several = said?.kind === "several" ? said : undefined;
    return choices.flatMap((choice): [string, Cell][] => [
      [part(choice), same(several ? Number(several.entries.includes(choice)) : null)],
      ...(choice.freeText
        ? [[part(choice, "_otherText"), words(several?.texts.get(choice) ?? null)] as [string, Cell]]
        : []),
    ]);
  }
  if (rows.length > 0) {
    return rows.map((row) => {
      const cell = said?.kind === "rows" ? said.cells.get(row) : undefined;
      if (typeof cell === "object") return [part(row), coded(cell, columns)];
      return [part(row), element.type === "form" ? words(cell ?? null) : empty];
    });
  }
  if (said?.kind === "one") return [[name, coded(said.entry, choices)]];
  if (said?.kind !== "plain") return [[name, element.type.endsWith("_text") ? words(null) : empty]];
  const { value } = said;
  if (typeof value === "boolean") return [[name, { text: value ? "Yes" : "No", code: Number(value) }]];
  if (element.type.endsWith("_text")) return [[name, words(value as string)]];
  return [[name, { ...same(value), ...(element.type === "date_time" && { isDate: true }) }]];
}

const coded = (entry: Entry, list: readonly Entry[]): Cell => ({
  text: entry.text,
  code: list.every(({ code }) => /^-?\d+$/.test(code)) ? Number(entry.code) : list.indexOf(entry) + 1,
});

/** Members of completed respondents by id: one for each question, with lists and objects (contract 7.14). */
export function expectedMembers(questionnaire: Questionnaire, people: readonly Person[]): Record<string, object> {
  const completed = people.filter(({ isCompleted }) => isCompleted);
  return Object.fromEntries(completed.map((person) => [person.respondentId, membersOf(questionnaire, person)]));
}

function membersOf({ document: { pages, fields = [] } }: Questionnaire, person: Person): object {
  const members: [string, unknown][] = [
    ["respondentId", person.respondentId],
    ["status", "Completed"],
    ["language", person.language],
    ...fields.map(({ name }): [string, unknown] => [`field_${name}`, person.fields[name] ?? null]),
  ];
  for (const { element, name, said } of askedQuestions(pages, person)) {
    members.push([name, memberOf(element, said)]);
    for (const { code, ...choice } of element.choices ?? []) {
      if (!choice.freeText) continue;
      const texts = said?.kind === "several" ? [...said.texts] : [];
      members.push([`${name}_${code}_otherText`, texts.find(([entry]) => entry.code === code)?.[1] ?? null]);
    }
  }
  return Object.fromEntries(members);
}

function memberOf(element: Element, said: Said | undefined): unknown {
  if (said === undefined) return null;
  if (said.kind === "one") return said.entry.text;
  if (said.kind === "several") {
    return element.choices!.filter((choice) => said.entries.includes(choice)).map(({ text }) => text);
  }
  if (said.kind === "plain") return typeof said.value === "boolean" ? (said.value ? "Yes" : "No") : said.value;
  const cells = element.rows!.map((row) => {
    const cell = said.cells.get(row) ?? null;
    return [row.text, typeof cell === "object" ? (cell?.text ?? null) : cell];
  });
  return Object.fromEntries(cells);
}
