import { answerNumber, type SurveyDefinition } from "@canvass/questions";

/** Ids reserved for the answers of a respondent: more than the places of any definition. */
export const answerIdCapacity = 2 ** 20;

const half = 8;
const placesInPart = 64;

/** Derives an answer's id from the respondent's id and the answer's place: stable, and it reveals nothing else. */
export function answerId(respondentId: string, definition: SurveyDefinition, answerKey: string): string {
  return answerIdAt(respondentId, placeNumber(definition, answerKey));
}

export function answerIdAt(respondentId: string, number: number): string {
  const tail = Number.parseInt(respondentId.slice(half), 36) + 1 + number;
  return respondentId.slice(0, half) + tail.toString(36).padStart(half, "0");
}

/** Returns the part that stores an answer: 64 neighbouring places, so that parts sort like ids. */
export function answerPart(definition: SurveyDefinition, answerKey: string): number {
  return Math.floor(placeNumber(definition, answerKey) / placesInPart);
}

export function placeNumber(definition: SurveyDefinition, answerKey: string): number {
  const number = answerNumber(definition, answerKey);
  if (number === undefined) throw new Error(`the version has no place for the answer ${answerKey}`);
  return number;
}
