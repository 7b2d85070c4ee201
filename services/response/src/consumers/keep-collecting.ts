import type { Event } from "@canvass/proto/events";
import { storeStates, type StatePut } from "../collecting/store-states.ts";
import { toldLink, toldSurvey } from "../collecting/told-states.ts";
import type { ResponseContext } from "../context.ts";
import { contactLock, surveyLock } from "../storage/collecting/collecting-locks.ts";
import { putLink } from "../storage/collecting/collecting-links.ts";
import { putSurvey } from "../storage/collecting/collecting-surveys.ts";
import { putGoneContacts } from "../storage/collecting/gone-contacts.ts";

/**
 * Stores how surveys and links collect from now on, and which contacts are gone. Once it resolves, whatever commits has seen
 * it. Older states and repetitions change nothing.
 */
export async function keepCollecting({ database }: ResponseContext, events: readonly Event[]): Promise<void> {
  for (const puts of inPieces(events.flatMap(putsOf))) await storeStates(database.pool, puts);
}

/** Locks of a transaction: the server has one table of them, for some ten thousand. An event names 500 contacts at most. */
const mostLocks = 2_000;

function inPieces(puts: readonly StatePut[]): StatePut[][] {
  const pieces: StatePut[][] = [];
  let locks = Infinity;
  for (const put of puts) {
    locks += put.locks.length;
    if (locks > mostLocks) {
      pieces.push([]);
      locks = put.locks.length;
    }
    pieces.at(-1)!.push(put);
  }
  return pieces;
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
