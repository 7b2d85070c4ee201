import type { SurveySettings } from "@canvass/questions";
import { isPromiseBroken } from "../collecting.ts";

export interface LinkUser {
  isAnonymous: boolean;
  hasContact: boolean;
  isErased: boolean;
  completedAt: Date | null;
}

/** Whether a used link accepts one more start, because `privacy_changed` refuses its earlier user (contract 7.5). */
export function startsAgain(user: LinkUser, privacy: SurveySettings["privacy"]): boolean {
  return !user.isErased && user.completedAt === null && isPromiseBroken(user, privacy);
}
