import { questionTypeOf } from "@canvass/questions";

/** An element of a draft as it is stored. */
export interface ElementRow {
  elementId: string;
  pageId: string;
  questionId: string;
  type: number;
  sortOrder: number;
  questionText: string | null;
  helpText: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
}

/** An element as callers read it. */
export function elementView(surveyId: string, row: ElementRow) {
  return {
    id: row.elementId,
    surveyId,
    pageId: row.pageId,
    type: row.type,
    typeName: questionTypeOf(row).typeName,
    questionId: row.questionId,
    sortOrder: row.sortOrder,
    questionText: row.questionText,
    helpText: row.helpText,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** 1763670385.123 * 1000 is not quite a whole number. */
const isoTime = (milliseconds: number): string => new Date(Math.round(milliseconds)).toISOString();
