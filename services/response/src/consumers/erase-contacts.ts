import { appendEvents, claimNewEvents, newEvent } from "@canvass/events";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { SurveyDefinition } from "@canvass/questions";
import { atPace, createPacer } from "@canvass/telemetry";
import type { ResponseContext } from "../context.ts";
import { BatchChanges } from "../domain/submissions/batch-changes.ts";
import { erasePersonalAnswers } from "../domain/submissions/erase-answers.ts";
import { expireExportsOf } from "../storage/exports/exports.ts";
import {
  findContactRespondents,
  unlinkContact,
  type ContactRef,
  type ContactRespondent,
} from "../storage/respondents/contact-respondents.ts";
import { dropRespondentFiles } from "../storage/files/deletions.ts";
import { insertErasedContact } from "../storage/respondents/erased-contacts.ts";
import { lockRespondents } from "../storage/respondents/lock-respondents.ts";
import { saveChanges } from "../storage/save-changes.ts";

/**
 * Erases the personal answers of an anonymized contact's respondents, once, and unlinks these; takes back export files of
 * their surveys, and publishes what it erased. All in one transaction for a contact.
 */
export async function eraseContacts(context: ResponseContext, events: readonly Event[]): Promise<void> {
  for (const event of events) {
    if (event.body.case === "contactAnonymized") await eraseContact(context, event, event.body.value.contactId);
  }
  context.outbox.nudge();
  context.exports?.clean();
  context.files?.clean();
}

type Versions = ReadonlyMap<string, SurveyDefinition>;

async function eraseContact(context: ResponseContext, event: Event, contactId: string): Promise<void> {
  const { database, writeGate, now } = context;
  const contact = { workspaceId: event.workspaceId, contactId };
  // A respondent never leaves its version, so that is fetched before anything is locked.
  const versions = await fetchVersions(context, await findContactRespondents(database.sql, contact));
  const write = async (sql: Sql) => {
    const at = now();
    if ((await claimNewEvents(sql, "contact-erasures", [event], at)).length === 0) return;
    const erased = await erase(sql, contact, versions, at);
    const body = { case: "contactErased" as const, value: { contactId, erased } };
    await appendEvents(sql, [newEvent({ workspaceId: contact.workspaceId, occurredAt: at, source: "response", body })]);
  };
  await writeGate(() => inTransaction(database.pool, write, { retryOnce: true }));
}

async function fetchVersions({ surveys }: ResponseContext, found: readonly ContactRespondent[]): Promise<Versions> {
  const versions = new Map<string, SurveyDefinition>();
  for (const respondent of found) {
    if (versions.has(respondent.versionId)) continue;
    versions.set(respondent.versionId, (await surveys.version(respondent)).definition);
  }
  return versions;
}

async function erase(sql: Sql, contact: ContactRef, versions: Versions, at: Date): Promise<Record<string, number>> {
  await insertErasedContact(sql, contact, at);
  const respondents = await unlinkContact(sql, contact);
  const changes = new BatchChanges();
  const pace = createPacer();
  let answers = 0;
  let files = 0;
  for (const { workspaceId, respondentId, versionId } of respondents) {
    const definition = versions.get(versionId);
    // It started meanwhile: the event comes again.
    if (!definition) throw new Error("a respondent of the contact started meanwhile");
    const { states } = await lockRespondents(sql, [{ workspaceId, respondentId, answerKeys: null }]);
    for (const state of states) answers += await atPace(pace, erasePersonalAnswers(state, definition, changes));
    files += await dropRespondentFiles(sql, { workspaceId, respondentId }, at);
  }
  let exportFiles = 0;
  for (const surveyId of new Set(respondents.map((respondent) => respondent.surveyId))) {
    exportFiles += await expireExportsOf(sql, { workspaceId: contact.workspaceId, surveyId }, at);
  }
  await saveChanges(sql, changes);
  return { respondents: respondents.length, answers, files, exportFiles };
}
