import type { SurveySettings } from "@canvass/questions";
import { isPromiseBroken } from "../collecting.ts";
import { isOpen, type Ending } from "../respondents/respondent-state.ts";

export interface LinkUser extends Ending {
  isAnonymous: boolean;
  hasContact: boolean;
  isErased: boolean;
}

/** Whether a used link accepts one more start, because `privacy_changed` refuses its earlier user (contract 7.5). */
export function startsAgain(user: LinkUser, privacy: SurveySettings["privacy"]): boolean {
  return !user.isErased && isOpen(user) && isPromiseBroken(user, privacy);
}
