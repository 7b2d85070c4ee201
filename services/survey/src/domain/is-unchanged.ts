import { sameLists, type SurveyDefinition } from "@canvass/questions";

/** Whether a document left the draft as it was: unchanged pages are the same objects. */
export function isUnchanged(before: SurveyDefinition, after: SurveyDefinition): boolean {
  const isSame =
    before.pages.length === after.pages.length && before.pages.every((page, at) => page === after.pages[at]);
  return isSame && sameLists(before, after);
}
