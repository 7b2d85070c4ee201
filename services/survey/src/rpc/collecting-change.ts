import { appendEvents, newEvent } from "@canvass/events";
import type { Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findCollections, type CollectionRow } from "../storage/collections.ts";
import { toCollectionMessage } from "./batch-get-collections.ts";

/** Appends an event with the survey's new collecting state, in the transaction of the change. */
export async function recordCollecting(sql: Sql, survey: SurveyRecord, at: Date): Promise<void> {
  const { publishedVersionId: versionId, publishedVersion: versionNumber } = survey;
  await appendEvents(sql, [collectingEvent({ ...survey, versionId, versionNumber }, at)]);
}

/** Puts the survey's current collecting state into effect at the response service. Throws `service_unavailable`. */
export async function pushSurvey({ database, pushCollecting, now }: SurveyContext, ref: SurveyRef): Promise<void> {
  const [row] = await findCollections(database.sql, [ref]);
  if (row) await pushCollecting(collectingEvent(row, now()));
}

function collectingEvent({ workspaceId, surveyId, ...row }: CollectionRow, occurredAt: Date): Event {
  const value = { change: { case: "survey" as const, value: { surveyId, collection: toCollectionMessage(row) } } };
  return newEvent({ workspaceId, occurredAt, source: "survey", body: { case: "collectingChanged", value } });
}
