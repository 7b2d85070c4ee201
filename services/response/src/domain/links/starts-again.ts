import type { SurveySettings } from "@canvass/questions";
import { isPromiseBroken } from "../collecting.ts";

/** Who used a link for one person, as far as anonymity allows. */
export interface LinkUser {
  isAnonymous: boolean;
  hasContact: boolean;
  isErased: boolean;
  completedAt: Date | null;
}

/** Whether a used link accepts one more start, because `privacy_changed` refuses whoever used it (contract 7.5). */
export function startsAgain(user: LinkUser, privacy: SurveySettings["privacy"]): boolean {
  return !user.isErased && user.completedAt === null && isPromiseBroken(user, privacy);
}
