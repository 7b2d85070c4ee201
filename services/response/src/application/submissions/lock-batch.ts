import { AppError } from "@canvass/errors";
import { createYielder } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import { fileIdsIn, type SurveyDefinition } from "@canvass/questions";
import { isId } from "@canvass/values";
import type { ResponseContext } from "../../context.ts";
import type { CollectingState } from "../../domain/collecting.ts";
import type { FileRef, UploadedFile } from "../../domain/files/uploaded-file.ts";
import type { DistributorRef, Link } from "../../domain/links/link.ts";
import type { CountQuota } from "../../domain/quotas/judge-quotas.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { furtherAnswerKeys, ownAnswerKeys } from "../../domain/submissions/needed-answers.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { addAnswers, mergeWanted, findWanted, type WantedRespondent } from "../../storage/answers/current-answers.ts";
import { contactLock, holdCollecting, surveyLock, beginWrite } from "../../storage/advisory-locks.ts";
import { findSurveyRevisions } from "../../storage/collecting/collecting-surveys.ts";
import { findGoneContacts } from "../../storage/collecting/gone-contacts.ts";
import { lockFiles } from "../../storage/files/answered-files.ts";
import type { ContactRef } from "../../storage/respondents/contact-respondents.ts";
import { lockRespondents, type LockedRespondents } from "../../storage/respondents/respondent-rows.ts";
import { lockResponseQuota, type ResponseQuota } from "../../storage/response-quota.ts";
import { unpushedRevision } from "../collecting/cached-states.ts";
import { lockBatchQuotas } from "../quotas/full-quota.ts";
import type { VersionOf } from "./batch-versions.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";

/** What a batch reads while its transaction holds the locks. Respondents are found by `keyOf`. */
export interface LockedBatch {
  /** Missing respondents are left out. */
  states: ReadonlyMap<string, RespondentState>;
  /** Respondents that were not read: their submissions need a later commit. */
  unread: ReadonlyMap<string, RespondentState>;
  collecting: LockedCollecting;
  files: (workspaceId: string) => (fileId: string) => UploadedFile | undefined;
  quota: ResponseQuota;
  countQuota: CountQuota;
  now: Date;
  yieldIfDue: () => Promise<void>;
}

/** How surveys and links collect. Undefined: unknown. */
interface LockedCollecting {
  survey(ref: SurveyRef): CollectingState | undefined;
  link(ref: DistributorRef): Link | undefined;
  isGone(submission: OpenSubmission): boolean;
}

/** Locks the respondents, surveys, links, files and quotas of submissions, and reads what their validation needs. */
export async function lockBatch(
  context: ResponseContext,
  sql: Sql,
  submissions: readonly OpenSubmission[],
  versionOf: VersionOf,
): Promise<LockedBatch> {
  const known = submissions.filter(({ startsOn }) => !startsOn);
  const starting = submissions.filter(({ startsOn }) => startsOn);
  const contacts = contactsOf(submissions);
  // The order matters. Read respondents while holding the collecting locks. Read the time after locking the
  // respondents, so that their answers keep their order.
  const [, locked, now, started, gone] = await Promise.all([
    holdCollecting(sql, [...submissions.map(surveyLock), ...contacts.map(contactLock)]),
    lockRespondents(
      sql,
      known.map((submission) => ({ ...refOf(submission), answerKeys: ownAnswerKeys(submission.body) })),
    ),
    beginWrite(sql, submissions, context.givenClock),
    findSurveyRevisions(sql, distinct(starting, surveyKey)),
    findGoneContacts(sql, distinct(contacts, contactLock)),
  ]);
  const states = byKey(locked.states);
  const { bySurvey, byDistributor } = await readCollecting(context, sql, submissions, locked.revisions, started);
  const link = (ref: DistributorRef) => byDistributor.get(linkKey(ref));
  const goneContacts = new Set(gone.map(contactLock));
  const files = await lockNamedFiles(sql, submissions, states);
  const collectingStates = Array.from(bySurvey.values(), (survey) => ({ ...survey, collectingState: survey }));
  const quota = await lockResponseQuota(sql, collectingStates, limitingLinks(locked.states, link));
  const countQuota = await lockBatchQuotas(sql, submissions, states, versionOf);
  await readFurtherAnswers(sql, known, states, { versionOf, countQuota });
  const collecting: LockedCollecting = {
    survey: (ref) => bySurvey.get(surveyKey(ref)),
    link,
    isGone: (submission) => contactsOf([submission]).some((contact) => goneContacts.has(contactLock(contact))),
  };
  return {
    states,
    unread: byKey(locked.unread),
    collecting,
    files,
    quota,
    countQuota,
    now,
    yieldIfDue: createYielder(),
  };
}

const byKey = (states: readonly RespondentState[]) => new Map(states.map((state) => [keyOf(state), state]));

/** Reads the stored states of the surveys and links. Those of owners that do not push changes were fetched. */
async function readCollecting(
  { surveys, links }: ResponseContext,
  sql: Sql,
  submissions: readonly OpenSubmission[],
  revisions: LockedRespondents["revisions"],
  started: readonly (SurveyRef & { revision: string })[],
) {
  const surveyRefs = new Map(started.map((ref) => [surveyKey(ref), ref]));
  const linkRefs = new Map<string, DistributorRef & { revision: string }>();
  for (const [{ workspaceId, surveyId, distributorId }, { survey, link }] of revisions) {
    if (survey !== null) {
      const ref = { workspaceId, surveyId, revision: survey };
      surveyRefs.set(surveyKey(ref), ref);
    }
    if (link !== null) {
      const ref = { workspaceId, distributorId, revision: link };
      linkRefs.set(linkKey(ref), ref);
    }
  }
  const bySurvey = new Map<string, SurveyRef & CollectingState>();
  const byDistributor = new Map<string, Link>();
  for (const { workspaceId, surveyId, fetched } of submissions) {
    const survey = fetched?.survey;
    const link = fetched?.link;
    if (survey?.revision === unpushedRevision)
      bySurvey.set(surveyKey({ workspaceId, surveyId }), { ...survey, workspaceId, surveyId });
    if (link?.revision === unpushedRevision) byDistributor.set(linkKey(link), link);
  }
  for (const survey of await surveys.ofRevisions(sql, [...surveyRefs.values()]))
    bySurvey.set(surveyKey(survey), survey);
  for (const link of await links.ofRevisions(sql, [...linkRefs.values()])) byDistributor.set(linkKey(link), link);
  return { bySurvey, byDistributor };
}

/** Call after locking the respondents, to avoid deadlocks. */
async function lockNamedFiles(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  states: LockedBatch["states"],
): Promise<LockedBatch["files"]> {
  const refs = submissions.flatMap((submission) => filesOf(submission, states));
  const locked = refs.length > 0 ? await lockFiles(sql, refs) : [];
  const files = new Map(locked.map((file) => [`${file.workspaceId} ${file.fileId}`, file]));
  return (workspaceId) => (fileId) => files.get(`${workspaceId} ${fileId}`);
}

/** Files that a submission names or releases. */
function filesOf(submission: OpenSubmission, states: LockedBatch["states"]): FileRef[] {
  const { workspaceId, body } = submission;
  const answers = states.get(keyOf(refOf(submission)))?.answers;
  return body.responses.flatMap((response) => {
    if (!response) return [];
    const ids = [...fileIdsIn(response.value), ...fileIdsIn(answers?.get(response.elementId)?.value)];
    return ids.filter(isId).map((fileId) => ({ workspaceId, fileId }));
  });
}

/** Links whose limit counts a respondent that may complete. */
function limitingLinks(states: readonly RespondentState[], linkOf: LockedCollecting["link"]): Link[] {
  const open = states.filter(
    ({ distributorId, completedAt, isTest }) => distributorId !== "" && !completedAt && !isTest,
  );
  return distinct(
    open.flatMap((state) => linkOf(state) ?? []),
    linkKey,
  );
}

/** Adds to locked respondents the answers that validation needs by their versions. */
async function readFurtherAnswers(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  states: LockedBatch["states"],
  { versionOf, countQuota }: { versionOf: VersionOf; countQuota: CountQuota },
): Promise<void> {
  // Other submissions of the batch may complete first.
  const mayFill = (state: RespondentState, { quotas = [] }: SurveyDefinition) =>
    quotas.some(({ quotaId, limit }) => countQuota(state, quotaId) + submissions.length > limit);
  const wanted = submissions.flatMap((submission): WantedRespondent[] => {
    const ref = refOf(submission);
    const state = states.get(keyOf(ref));
    const version = state && versionOf(state);
    if (!version || version instanceof AppError) return [];
    const { definition } = version;
    const answerKeys = furtherAnswerKeys(submission.body, state, definition, mayFill(state, definition));
    return [{ ...ref, answerKeys }];
  });
  addAnswers(states, await findWanted(sql, mergeWanted(wanted)));
}

function contactsOf(submissions: readonly OpenSubmission[]): ContactRef[] {
  return submissions.flatMap(({ workspaceId, session }) =>
    session && session.contactId !== "" ? [{ workspaceId, contactId: session.contactId }] : [],
  );
}

function distinct<Ref>(refs: readonly Ref[], keyOf: (ref: Ref) => string): Ref[] {
  return [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
}

const surveyKey = ({ workspaceId, surveyId }: SurveyRef) => `${workspaceId} ${surveyId}`;
const linkKey = ({ workspaceId, distributorId }: DistributorRef) => `${workspaceId} ${distributorId}`;
