import { appendEvents, claimNewEvents, newEvent } from "@canvass/events";
import { createYielder, runWithYielder } from "@canvass/fairness";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { SurveyDefinition } from "@canvass/questions";
import { storeStates } from "../application/collecting/store-states.ts";
import type { ResponseContext } from "../context.ts";
import { BatchChanges } from "../domain/submissions/batch-changes.ts";
import { erasePersonalAnswers } from "../domain/submissions/erase-answers.ts";
import { expireExportsOf } from "../storage/exports/exports.ts";
import {
  findContactRespondents,
  unlinkRespondents,
  type ContactRef,
  type ContactRespondent,
} from "../storage/respondents/contact-respondents.ts";
import { contactLock } from "../storage/advisory-locks.ts";
import { goneContactsStatement } from "../storage/collecting/gone-contacts.ts";
import { dropRespondentFiles } from "../storage/files/deletions.ts";
import {
  addErasedCounts,
  findErasedCounts,
  insertErasedContact,
  type ErasedCounts,
} from "../storage/respondents/erased-contacts.ts";
import { lockRespondents } from "../storage/respondents/respondent-rows.ts";
import { saveChanges } from "../storage/save-changes.ts";

/**
 * Erases the personal answers of anonymized contacts in several transactions. A retry resumes where an earlier run
 * stopped.
 */
export async function eraseContacts(context: ResponseContext, events: readonly Event[]): Promise<void> {
  for (const event of events) {
    if (event.body.case === "contactAnonymized") await eraseContact(context, event, event.body.value.contactId);
  }
  context.outbox.nudge();
  context.exports?.clean();
  context.files?.clean();
}

/** Respondents per transaction. Fewer if their answers are large. */
const mostRespondents = 100;

async function eraseContact(context: ResponseContext, event: Event, contactId: string): Promise<void> {
  const contact = { workspaceId: event.workspaceId, contactId };
  // Blocks starts as this contact, so that the loop below ends. Older processes of its owner do not push this state.
  const { workspaceId } = contact;
  const statements = [goneContactsStatement(workspaceId, [contactId], "anonymized")];
  await storeStates(context.database.pool, [{ locks: [contactLock(contact)], statements }]);
  await write(context, (sql, at) => insertErasedContact(sql, contact, at));
  while (await erasePart(context, contact));
  await write(context, async (sql, at) => {
    if ((await claimNewEvents(sql, "contact-erasures", [event], at)).length === 0) return;
    const erased = await findErasedCounts(sql, contact);
    const body = { case: "contactErased" as const, value: { contactId, erased } };
    await appendEvents(sql, [newEvent({ workspaceId: contact.workspaceId, occurredAt: at, source: "response", body })]);
  });
}

function write({ database, limitWrites, now }: ResponseContext, work: (sql: Sql, at: Date) => Promise<void>) {
  return limitWrites(() => inTransaction(database.pool, (sql) => work(sql, now()), { retryOnce: true }));
}

async function erasePart(context: ResponseContext, contact: ContactRef): Promise<boolean> {
  const part = await findContactRespondents(context.database.sql, contact, mostRespondents);
  if (part.length === 0) return false;
  // A respondent's version never changes, so fetch it before taking locks.
  const versions = await fetchVersions(context, part);
  await write(context, async (sql, at) => addErasedCounts(sql, contact, await erase(sql, part, versions, at)));
  return true;
}

type Versions = ReadonlyMap<string, SurveyDefinition>;

async function fetchVersions({ surveys }: ResponseContext, found: readonly ContactRespondent[]): Promise<Versions> {
  const versions = new Map<string, SurveyDefinition>();
  for (const respondent of found) {
    if (versions.has(respondent.versionId)) continue;
    versions.set(respondent.versionId, (await surveys.version(respondent)).definition);
  }
  return versions;
}

/** Skips respondents whose answers do not fit into this transaction, and those that no longer have a contact. */
async function erase(
  sql: Sql,
  part: readonly ContactRespondent[],
  versions: Versions,
  at: Date,
): Promise<ErasedCounts> {
  const locked = await lockRespondents(
    sql,
    part.map((respondent) => ({ ...respondent, answerKeys: null })),
  );
  const states = locked.states.filter(({ hasContact }) => hasContact);
  await unlinkRespondents(sql, states);
  const changes = new BatchChanges();
  const yieldIfDue = createYielder();
  const erased = { respondents: states.length, answers: 0, files: 0, exportFiles: 0 };
  for (const state of states) {
    erased.answers += await runWithYielder(
      yieldIfDue,
      erasePersonalAnswers(state, versions.get(state.versionId)!, changes),
    );
    erased.files += await dropRespondentFiles(sql, state, at);
  }
  // In one order, to avoid deadlocks.
  const surveys = [...new Map(states.map((state) => [state.surveyId, state]))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, survey] of surveys) erased.exportFiles += await expireExportsOf(sql, survey, at);
  await saveChanges(sql, changes);
  return erased;
}
