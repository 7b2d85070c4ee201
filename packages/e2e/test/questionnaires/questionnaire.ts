import { runCanvass } from "@canvass/operator";
import { expect } from "vitest";
import type { Json, OtherWorkspace } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { NaivePath, placeOf, type Answers, type Said } from "./naive-logic.ts";
import { withCarried, type Element, type Entry, type SurveyDocument } from "./survey-document.ts";

export interface Asked {
  element: Element;
  elementId: string;
  questionId: string;
  /** Entries of all its lists by id. */
  entries: ReadonlyMap<string, Entry>;
}

/** A published survey of a document, in a workspace of its own. */
export interface Questionnaire {
  api: OtherWorkspace["api"];
  surveyId: string;
  /** With the choices that its elements carry. */
  document: SurveyDocument;
  asked: Asked[];
  /** Answers it by `canvass fill`. Returns what that printed. */
  fill: (respondents: number, seed: number, ...options: string[]) => Promise<Json>;
}

export async function publishQuestionnaire(shared: SharedSystem, written: SurveyDocument): Promise<Questionnaire> {
  const { api, token } = await shared.newWorkspace();
  const document = withCarried(written);
  const { id: surveyId } = (await api.post("/surveys/import", written)).data;
  await api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" });
  const drawn: Json[] = (await api.get(`/surveys/${surveyId}/elements?include=content&limit=100`)).data;
  const choicesOf = (content: Json): Json[] =>
    content.choicesFrom ? choicesOf(drawn.find(({ id }) => id === content.choicesFrom.elementId)) : content.choices;
  const asked = document.pages
    .flatMap(({ elements }) => elements)
    .map((element): Asked => {
      const { id: elementId, questionId, ...content } = drawn.find(({ name }) => name === element.name);
      const lists = (["choices", "rows", "columns"] as const).flatMap((list) =>
        (element[list] ?? []).map((entry): [string, Entry] => [
          (list === "choices" ? choicesOf(content) : content[list]).find(({ code }: Json) => code === entry.code).id,
          entry,
        ]),
      );
      return { element, elementId, questionId, entries: new Map(lists) };
    });
  const { baseUrl } = shared.demo.system.local;

  async function fill(respondents: number, seed: number, ...options: string[]): Promise<Json> {
    const words = ["fill", "--survey", surveyId, "--responses", `${respondents}`, "--seed", `${seed}`];
    const printed = { out: "", err: "" };
    const code = await runCanvass(
      [...words, "--base-url", baseUrl, "--json", ...options],
      { CANVASS_TOKEN: token },
      { out: (text) => void (printed.out += text), err: (text) => void (printed.err += text) },
    );
    expect([code, printed.err]).toEqual([0, ""]);
    return JSON.parse(printed.out);
  }

  return { api, surveyId, document, asked, fill };
}

/** A respondent as lists show it, with what the model makes of its answers. */
export interface Person {
  respondentId: string;
  isCompleted: boolean;
  status: string;
  language: string;
  fields: Record<string, string | number>;
  /** All answers, as the API shows them. */
  raw: Json[];
  path: NaivePath;
  /** Answers that count: of the path, once the respondent has completed. */
  answers: Answers;
  /** Places of answers that the list marks. */
  offPath: string[];
}

/** Reads all respondents with their answers. */
export async function readPeople({ api, surveyId, document, asked }: Questionnaire): Promise<Person[]> {
  const people: Person[] = [];
  for (let cursor = ""; ;) {
    const query = `include=answers&limit=100&cursor=${encodeURIComponent(cursor)}`;
    const { data, body } = await api.get(`/response/surveys/${surveyId}/respondents?${query}`);
    for (const listed of data) people.push(personOf(listed, document, asked));
    if (!body.pagination.hasMore) return people;
    cursor = body.pagination.cursor_next;
  }
}

function personOf(listed: Json, document: SurveyDocument, asked: readonly Asked[]): Person {
  const places = new Map<string, Said>();
  const offPath: string[] = [];
  for (const { elementId, itemId, value, offPath: isOff } of listed.answers) {
    const own = asked.find((each) => each.elementId === elementId)!;
    const item = itemId && itemOf(asked, itemId).key;
    const place = placeOf(own.element.name, item);
    places.set(place, said(own, value));
    if (isOff) offPath.push(place);
  }
  const path = new NaivePath(document, places);
  const isCompleted = listed.status === "completed";
  const standing = [...places].filter(([place]) => !isCompleted || path.find(place) !== undefined);
  const { respondentId, status, language, fields, answers: raw } = listed;
  return { respondentId, isCompleted, status, language, fields, raw, path, answers: new Map(standing), offPath };
}

const itemOf = (asked: readonly Asked[], id: string): Entry =>
  asked.flatMap(({ entries }) => entries.get(id) ?? [])[0]!;

function said({ element, entries }: Asked, value: Json): Said {
  const entry = (id: string) => entries.get(id)!;
  switch (element.type) {
    case "multiple_choice": {
      if (!element.typeSettings?.["multipleAnswers"]) return { kind: "one", entry: entry(value) };
      const texts = value.flatMap((each: Json) => (each.otherText ? [[entry(each.choiceId), each.otherText]] : []));
      return {
        kind: "several",
        entries: value.map((each: Json) => entry(each.choiceId ?? each)),
        texts: new Map(texts),
      };
    }
    case "matrix":
      return {
        kind: "rows",
        cells: new Map(Object.entries(value as object).map(([row, id]) => [entry(row), entry(id)])),
      };
    case "form":
      return { kind: "rows", cells: new Map(Object.entries(value as object).map(([row, text]) => [entry(row), text])) };
    default:
      return { kind: "plain", value };
  }
}
