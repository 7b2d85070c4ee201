import type { PublicElement, Question } from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import type { MappedType } from "../mapping/mapped-type.ts";

/** A question where it is drawn: on a page, or for one item of a loop. */
export interface Placed {
  key: string;
  /** As shown: with answers in place of placeholders, without hidden choices and rows. */
  question: PublicElement;
  /** As in the definition: with placeholders, and all choices and rows. */
  source: PublicElement;
  /** Ids of choices and rows that are not shown. */
  hidden: ReadonlySet<string>;
  stored: Question;
  mapped: MappedType;
  /** Of the screen that shows it: a visited page, or one question of it. */
  pageName: string;
  pageId: string;
  itemId: string | null;
}

/** Whether its choices and rows depend on answers. */
export const hasConditionalEntries = ({ logic }: Question): boolean =>
  logic?.entries !== undefined || logic?.choicesFrom !== undefined;

/** How SurveyJS draws it: a question, or a panel of several. */
export const drawnOf = (model: SurveyModel, key: string) => model.getQuestionByName(key) ?? model.getPanelByName(key);

/** Gives SurveyJS an answer; undefined removes it. */
export function putAnswer(model: SurveyModel, { key, mapped, question }: Placed, value: unknown): void {
  const data = value === undefined ? { [key]: undefined } : mapped.toData(value, key, question);
  for (const [name, each] of Object.entries(data)) model.setValue(name, each);
}
