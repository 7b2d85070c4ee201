import { AppError } from "@canvass/errors";
import type { Event } from "@canvass/proto/events";
import { storeStates, type StatePut } from "../application/collecting/store-states.ts";
import { linkFromMessage, surveyFromMessage } from "../application/collecting/states-from-messages.ts";
import type { ResponseContext } from "../context.ts";
import { contactLock, surveyLock } from "../storage/advisory-locks.ts";
import { collectingLinkStatement } from "../storage/collecting/collecting-links.ts";
import { collectingSurveyStatement } from "../storage/collecting/collecting-surveys.ts";
import { goneContactsStatement } from "../storage/collecting/gone-contacts.ts";

/** Stores each event alone: a locked survey or an absent owner delays no others. Returns the ids of stored events. */
export async function storeCollectingChanges(context: ResponseContext, events: readonly Event[]): Promise<string[]> {
  const stored: string[] = [];
  let heldUp: AppError | undefined;
  for (const event of events) {
    try {
      const { puts, isAhead } = changeOf(context, event);
      await storeStates(context.database.pool, puts);
      if (await isAhead()) throw new Error(restored);
      stored.push(event.eventId);
    } catch (error) {
      if (!(error instanceof AppError) || !transientCodes.has(error.code)) throw error;
      heldUp = error;
    }
  }
  if (heldUp && stored.length === 0) throw heldUp;
  return stored;
}

const transientCodes: ReadonlySet<string> = new Set(["deadline_exceeded", "service_unavailable"]);
const restored =
  "what is stored is newer than its owner knows, or differs at the same revision, so the owner's database was restored: see deploy/runbooks/backup-and-restore.md, Restore one service";

interface Change {
  puts: StatePut[];
  isAhead: () => Promise<boolean>;
}

function changeOf({ surveys, links }: ResponseContext, { workspaceId, body }: Event): Change {
  const isAhead = async () => false;
  if (body.case !== "collectingChanged") return { puts: [], isAhead };
  const { change } = body.value;
  if (change.case === "survey" && change.value.collection) {
    const survey = surveyFromMessage({ workspaceId, surveyId: change.value.surveyId }, change.value.collection);
    const puts = [{ locks: [surveyLock(survey)], statements: [collectingSurveyStatement(survey)] }];
    return { puts, isAhead: () => surveys.isAheadOfOwner(survey) };
  }
  if (change.case === "link") {
    const link = linkFromMessage(change.value);
    const puts = [{ locks: [surveyLock(link)], statements: [collectingLinkStatement(link)] }];
    return { puts, isAhead: () => links.isAheadOfOwner(link) };
  }
  if (change.case !== "contacts") return { puts: [], isAhead };
  const { contactIds, status } = change.value;
  const locks = contactIds.map((contactId) => contactLock({ workspaceId, contactId }));
  return { puts: [{ locks, statements: [goneContactsStatement(workspaceId, contactIds, status)] }], isAhead };
}
