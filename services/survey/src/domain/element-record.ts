import type { Question } from "@canvass/questions";
import type { SurveyRef } from "./survey-ref.ts";

export interface ElementRef {
  workspaceId: string;
  elementId: string;
}

export interface ElementRecord extends SurveyRef {
  pageId: string;
  /** From 1, within the page. */
  sortOrder: number;
  revision: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  question: Question;
}

export interface ElementRetirement extends SurveyRef {
  /** Identifies the question in results and exports; `elementId` identifies its place in the survey. */
  questionId: string;
  /** Null while the draft contains the element. */
  retiredAt: Date | null;
}
