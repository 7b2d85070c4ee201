import type { Question } from "@canvass/questions";
import type { SurveyRef } from "./survey-ref.ts";

/** Names an element; the workspace is the caller's, so that nobody reaches further than it. */
export interface ElementRef {
  workspaceId: string;
  elementId: string;
}

/** An element of a draft as it is stored. */
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

/** What is known of an element that stands in a draft, or was retired from it. */
export interface ElementTrace extends SurveyRef {
  questionId: string;
  /** Null while it stands in the draft. */
  retiredAt: Date | null;
}
