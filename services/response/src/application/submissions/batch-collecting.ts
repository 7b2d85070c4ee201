import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import { notCollecting, type CollectingState } from "../../domain/collecting.ts";
import type { DistributorRef, Link } from "../../domain/links/link.ts";
import type { RespondentState } from "../../domain/respondents/respondent-state.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { ResponseContext } from "../../context.ts";
import { unpushedRevision } from "../collecting/cached-states.ts";
import { contactLock, surveyLock } from "../../storage/collecting/collecting-locks.ts";
import { findGoneContacts } from "../../storage/collecting/gone-contacts.ts";
import { findSurveyRevisions } from "../../storage/collecting/collecting-surveys.ts";
import type { ContactRef } from "../../storage/respondents/contact-respondents.ts";
import type { CollectingRevisions } from "../../storage/respondents/lock-respondents.ts";
import type { OpenSubmission } from "./open-submission.ts";

/** How the surveys and links of a batch collect while its transaction holds their locks. Undefined: unknown. */
export interface BatchCollecting {
  survey(ref: SurveyRef): CollectingState | undefined;
  link(ref: DistributorRef): Link | undefined;
  isGone(submission: OpenSubmission): boolean;
  readonly surveys: readonly (SurveyRef & { collectingState: CollectingState })[];
}

export function collectingLocks(submissions: readonly OpenSubmission[]): string[] {
  return [...submissions.map(surveyLock), ...contactsOf(submissions).map(contactLock)];
}

/** Reads what the respondents' rows do not contain. Sends its statements before it returns the promise. */
export async function readUnlocked(sql: Sql, submissions: readonly OpenSubmission[]) {
  const starting = submissions.filter(({ startsOn }) => startsOn);
  const [started, gone] = await Promise.all([
    findSurveyRevisions(sql, distinct(starting, surveyKey)),
    findGoneContacts(sql, distinct(contactsOf(submissions), contactLock)),
  ]);
  return { started, gone };
}

export async function readCollecting(
  { surveys, links }: ResponseContext,
  sql: Sql,
  submissions: readonly OpenSubmission[],
  revisions: ReadonlyMap<RespondentState, CollectingRevisions>,
  { started, gone }: Awaited<ReturnType<typeof readUnlocked>>,
): Promise<BatchCollecting> {
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
  const { bySurvey, byDistributor } = unpushedStates(submissions);
  for (const survey of await surveys.ofRevisions(sql, [...surveyRefs.values()]))
    bySurvey.set(surveyKey(survey), survey);
  for (const link of await links.ofRevisions(sql, [...linkRefs.values()])) byDistributor.set(linkKey(link), link);
  const goneContacts = new Set(gone.map(contactLock));
  return {
    survey: (ref) => bySurvey.get(surveyKey(ref)),
    link: (ref) => byDistributor.get(linkKey(ref)),
    isGone: (submission) => contactsOf([submission]).some((contact) => goneContacts.has(contactLock(contact))),
    surveys: Array.from(bySurvey.values(), (survey) => ({ ...survey, collectingState: survey })),
  };
}

/** States from owners that do not push changes. Stored states replace them. */
function unpushedStates(submissions: readonly OpenSubmission[]) {
  const bySurvey = new Map<string, SurveyRef & CollectingState>();
  const byDistributor = new Map<string, Link>();
  for (const { workspaceId, surveyId, fetched } of submissions) {
    const survey = fetched?.survey;
    const link = fetched?.link;
    if (survey?.revision === unpushedRevision)
      bySurvey.set(surveyKey({ workspaceId, surveyId }), { ...survey, workspaceId, surveyId });
    if (link?.revision === unpushedRevision) byDistributor.set(linkKey(link), link);
  }
  return { bySurvey, byDistributor };
}

export interface FetchedStates {
  survey?: CollectingState;
  link?: Link;
}

export async function ensureStored(
  { surveys, links }: ResponseContext,
  { workspaceId, surveyId, distributorId }: SurveyRef & DistributorRef,
): Promise<FetchedStates> {
  const [survey, link] = await Promise.all([
    surveys.collectingState({ workspaceId, surveyId }),
    distributorId === "" ? undefined : links.byDistributor({ workspaceId, distributorId }),
  ]);
  if (!survey.found) throw new AppError("survey_not_found");
  if (survey.isHeld) throw new AppError("service_unavailable");
  if (link && !link.found) throw notCollecting("link_closed");
  return { survey, ...(link && { link }) };
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
