import { AppError } from "@canvass/errors";
import { yieldToEventLoop } from "@canvass/fairness";
import type { IdempotencyKey } from "@canvass/postgres";
import { answerTime, idempotencyKey } from "@canvass/postgres/rpc";
import type { Caller } from "@canvass/proto/access";
import type { Submission } from "@canvass/proto/response";
import type { MacBody } from "@canvass/rpc";
import { isId, type JsonObject } from "@canvass/values";
import type { ResponseContext } from "../../context.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { CollectingState } from "../../domain/collecting.ts";
import type { DistributorRef, Link } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { readSession } from "../links/session.ts";
import { parseNpsSubmission } from "../../domain/submissions/nps-submission.ts";
import {
  parseLinkSubmission,
  parseSubmission,
  preferShapeViolations,
  type SubmissionBody,
} from "../../domain/submissions/submission.ts";

export interface OpenSubmission {
  workspaceId: string;
  surveyId: string;
  /** Respondents that came by a link count as live. Their time zone is the link's. */
  caller: Pick<Caller, "live" | "timeZone">;
  body: SubmissionBody;
  session?: OpenSession;
  fetched?: FetchedStates;
  /** The translation that its refusal needs was fetched, if it could be. */
  isTranslated?: boolean;
  /** Version that a new respondent starts on. Absent if the body names a respondent. */
  startsOn?: StartVersion;
  /** Values of hidden fields that it is given. */
  fields?: JsonObject;
  key: IdempotencyKey | undefined;
  requestId: string;
  traceparent: string;
  answeredAt: Date;
}

export interface FetchedStates {
  survey?: CollectingState;
  link?: Link;
}

export interface OpenSession {
  contactId: string;
}

/** `versionId` is empty while the survey is not published. It then refuses respondents. */
export type StartVersion = Pick<PublishedVersion, "versionId" | "versionNumber">;

/** Characters whose parsing takes a millisecond. */
const heavyBody = 10_000;

/** Opens one item of a batch: verifies the caller or the session, parses the body, looks up the survey and the link. */
export async function openSubmission(
  context: ResponseContext,
  submission: Submission,
  macBody: MacBody,
): Promise<OpenSubmission> {
  return submission.sessionToken === ""
    ? openCallersSubmission(context, submission, macBody)
    : openLinkSubmission(context, submission, macBody);
}

async function openCallersSubmission(
  context: ResponseContext,
  { caller: signedCaller, surveyId, bodyJson, npsElementId, idempotency, traceparent }: Submission,
  macBody: MacBody,
): Promise<OpenSubmission> {
  const { verifyCaller, now } = context;
  const caller = verifyCaller(signedCaller);
  if (!caller) throw new AppError("unauthorized");
  const { workspaceId } = caller;
  if (bodyJson.length > heavyBody) await yieldToEventLoop();
  const body = npsElementId === "" ? parseSubmission(bodyJson) : parseNpsSubmission(bodyJson, npsElementId);
  const fetched = isId(surveyId) ? await lookUpSurvey(context, { workspaceId, surveyId }) : undefined;
  if (!fetched) throw preferShapeViolations(body, new AppError("survey_not_found"));
  return {
    workspaceId,
    surveyId,
    caller,
    body,
    fetched,
    key: idempotency && idempotencyKey(macBody, workspaceId, idempotency),
    requestId: idempotency?.requestId ?? "",
    traceparent,
    answeredAt: answerTime(idempotency, now()),
  };
}

async function openLinkSubmission(
  context: ResponseContext,
  { code, sessionToken, respondentId: named, bodyJson, idempotency, traceparent }: Submission,
  macBody: MacBody,
): Promise<OpenSubmission> {
  const { cursors, links, now } = context;
  // Validate the token before any lookup.
  const session = readSession(cursors, code, sessionToken);
  const { workspaceId, surveyId, respondentId } = session;
  if (named !== respondentId) throw new AppError("invalid_token");
  if (bodyJson.length > heavyBody) await yieldToEventLoop();
  const body = parseLinkSubmission(bodyJson, respondentId);
  const [survey, link, contactId] = await Promise.all([
    lookUpSurvey(context, { workspaceId, surveyId }),
    lookUpLink(context, session),
    links.contactOf(session),
  ]);
  if (!survey || !link || contactId === undefined)
    throw preferShapeViolations(body, new AppError("distributor_not_found"));
  return {
    workspaceId,
    surveyId,
    caller: { live: true, timeZone: "" },
    body,
    session: { contactId },
    fetched: { ...survey, ...link },
    key: idempotency && idempotencyKey(macBody, workspaceId, idempotency),
    requestId: idempotency?.requestId ?? "",
    traceparent,
    answeredAt: answerTime(idempotency, now()),
  };
}

/** Empty if the state is stored. Undefined if there is no such survey. */
async function lookUpSurvey({ surveys }: ResponseContext, ref: SurveyRef): Promise<FetchedStates | undefined> {
  if (surveys.isKnown(ref)) return {};
  const survey = await surveys.collectingState(ref);
  return survey.found ? { survey } : undefined;
}

async function lookUpLink({ links }: ResponseContext, ref: DistributorRef): Promise<FetchedStates | undefined> {
  if (links.isKnown(ref)) return {};
  const link = await links.byDistributor(ref);
  return link.found ? { link } : undefined;
}

export function refOf({ workspaceId, surveyId, body }: OpenSubmission) {
  return { workspaceId, surveyId, respondentId: body.respondentId };
}
