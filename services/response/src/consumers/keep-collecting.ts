import { AppError } from "@canvass/errors";
import type { Event } from "@canvass/proto/events";
import { storeStates, type StatePut } from "../application/collecting/store-states.ts";
import { toldLink, toldSurvey } from "../application/collecting/told-states.ts";
import type { ResponseContext } from "../context.ts";
import { contactLock, surveyLock } from "../storage/collecting/collecting-locks.ts";
import { putLink } from "../storage/collecting/collecting-links.ts";
import { putSurvey } from "../storage/collecting/collecting-surveys.ts";
import { putGoneContacts } from "../storage/collecting/gone-contacts.ts";

/**
 * Stores how surveys and links collect from now on, and which contacts are gone; returns the ids of the stored. Whatever
 * commits afterwards has seen it. Older states and repetitions change nothing. Each has a transaction of its own: one whose
 * survey is held up for too long comes again and takes no other with it. Throws `deadline_exceeded` when that is true of all.
 */
export async function keepCollecting({ database }: ResponseContext, events: readonly Event[]): Promise<string[]> {
  const stored: string[] = [];
  let heldUp: AppError | undefined;
  for (const event of events) {
    try {
      await storeStates(database.pool, putsOf(event));
      stored.push(event.eventId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "deadline_exceeded") throw error;
      heldUp = error;
    }
  }
  if (heldUp && stored.length === 0) throw heldUp;
  return stored;
}

function putsOf({ workspaceId, body }: Event): StatePut[] {
  if (body.case !== "collectingChanged") return [];
  const { change } = body.value;
  if (change.case === "survey" && change.value.collection) {
    const survey = toldSurvey({ workspaceId, surveyId: change.value.surveyId }, change.value.collection);
    return [{ locks: [surveyLock(survey)], statement: putSurvey(survey) }];
  }
  if (change.case === "link") {
    const link = toldLink(change.value);
    return [{ locks: [surveyLock(link)], statement: putLink(link) }];
  }
  if (change.case !== "contacts") return [];
  const { contactIds, status } = change.value;
  const locks = contactIds.map((contactId) => contactLock({ workspaceId, contactId }));
  return [{ locks, statement: putGoneContacts(workspaceId, contactIds, status) }];
}
