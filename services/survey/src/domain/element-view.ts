import {
  marksOf,
  questionTypeOf,
  type Choice,
  type Column,
  type ElementLogic,
  type Question,
} from "@canvass/questions";

/** An element of a draft as stored. `typeSettings` and the members after it are null if content is not requested. */
export interface ElementRow {
  elementId: string;
  pageId: string;
  questionId: string;
  name: string | null;
  type: number;
  sortOrder: number;
  questionText: string | null;
  helpText: string | null;
  createdAt: number;
  updatedAt: number;
  typeSettings: Question["typeSettings"] | null;
  responseValidation: Question["responseValidation"] | null;
  choices: Choice[] | null;
  rows: Choice[] | null;
  columns: Column[] | null;
  logic: ElementLogic | null;
}

export function elementView(surveyId: string, row: ElementRow) {
  return {
    id: row.elementId,
    surveyId,
    pageId: row.pageId,
    type: row.type,
    typeName: questionTypeOf(row).typeName,
    questionId: row.questionId,
    name: row.name,
    sortOrder: row.sortOrder,
    questionText: row.questionText,
    helpText: row.helpText,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    ...contentView(row),
  };
}

/** Returns what a client needs beside the texts to draw a question. Omits retired entries, which only results need. */
function contentView({ typeSettings, responseValidation, choices, rows, columns, logic }: ElementRow): object {
  if (!typeSettings || !responseValidation) return {};
  return {
    settings: { typeSettings, responseValidation },
    ...(choices && { choices: offered(choices).map((choice) => choiceView(choice, logic)) }),
    ...(rows && { rows: offered(rows).map((row) => choiceView(row, logic)) }),
    ...(columns && { columns: offered(columns).map(columnView) }),
    required: responseValidation.required,
    ...logicView(logic),
  };
}

/** Absent members are null or an empty list, as edits accept them. */
export function logicView(logic: ElementLogic | null | undefined) {
  const { showIf = null, requiredIf = null, constraints = [], defaultValue = null, choicesFrom = null } = logic ?? {};
  return { showIf, requiredIf, constraints, defaultValue, choicesFrom };
}

const offered = <Entry extends Choice | Column>(entries: readonly Entry[]) => entries.filter(({ retired }) => !retired);

/** `logic` is the logic of the question, which holds the conditions of its choices and rows. */
export function choiceView(choice: Choice, logic?: ElementLogic | null): object {
  const { id, text, code, imageUrl, format, required } = choice;
  const showIf = logic?.entries?.[id];
  return {
    id,
    text,
    ...(code && { code }),
    ...marksOf(choice),
    ...(imageUrl && { imageUrl }),
    ...(format && { format }),
    ...(required && { required }),
    ...(showIf && { showIf }),
  };
}

export function columnView(column: Column): object {
  const { id, text, code, options } = column;
  return {
    id,
    text,
    ...(code && { code }),
    ...marksOf(column),
    ...(options && { options: offered(options).map((option) => choiceView(option)) }),
  };
}

/** Rounds, because 1763670385.123 * 1000 is not an integer in floating point. */
const isoTime = (milliseconds: number): string => new Date(Math.round(milliseconds)).toISOString();
