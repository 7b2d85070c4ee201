import { answerNumber, type SurveyDefinition } from "@canvass/questions";

/** How many ids after a respondent's own belong to its answers: more than the places a definition can have. */
export const answerIdRoom = 2 ** 20;

const half = 8;
const placesInPart = 64;

/**
 * The id of an answer: the respondent's id, and as many steps further as the answer's place has numbers in the
 * definition of the respondent's version. So it is stored nowhere, stays when the answer is given again, and tells no
 * more than respondent and element do. Throws for a key that the definition has no place for.
 */
export function answerId(respondentId: string, definition: SurveyDefinition, answerKey: string): string {
  return answerIdAt(respondentId, placeNumber(definition, answerKey));
}

/** The same, of the place's number. */
export function answerIdAt(respondentId: string, number: number): string {
  const tail = Number.parseInt(respondentId.slice(half), 36) + 1 + number;
  return respondentId.slice(0, half) + tail.toString(36).padStart(half, "0");
}

/** The part of the survey an answer is stored with: 64 neighbouring places, so parts are in the order of ids, too. */
export function answerPart(definition: SurveyDefinition, answerKey: string): number {
  return Math.floor(placeNumber(definition, answerKey) / placesInPart);
}

/** The number of an answer's place. Throws for a key that the definition has no place for. */
export function placeNumber(definition: SurveyDefinition, answerKey: string): number {
  const number = answerNumber(definition, answerKey);
  if (number === undefined) throw new Error(`the version has no place for the answer ${answerKey}`);
  return number;
}
