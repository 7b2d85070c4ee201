import { AppError } from "@canvass/errors";
import type { IdempotencyKey } from "@canvass/postgres";
import { answerTime, idempotencyKey } from "@canvass/postgres/rpc";
import type { Caller } from "@canvass/proto/access";
import type { Submission } from "@canvass/proto/response";
import type { MacBody } from "@canvass/rpc";
import { yieldToEventLoop } from "@canvass/telemetry";
import { isId } from "@canvass/values";
import type { ResponseContext } from "../../context.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { DistributorRef } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { readSession } from "../links/session.ts";
import type { Told } from "./batch-collecting.ts";
import { parseNpsSubmission } from "../../domain/submissions/nps-submission.ts";
import {
  parseLinkSubmission,
  parseSubmission,
  shapeFirst,
  type SubmissionBody,
} from "../../domain/submissions/submission.ts";

/** A submission with a verified caller and a well-formed body, about a survey that there is. */
export interface OpenSubmission {
  workspaceId: string;
  surveyId: string;
  /** A respondent that came by a link counts as live, in the time zone of the link. */
  caller: Pick<Caller, "live" | "timeZone">;
  body: SubmissionBody;
  /** Of a respondent that came by a link, where its token told. */
  session?: OpenSession;
  told?: Told;
  /** The version a new respondent starts on; absent: the body names a respondent. */
  startsOn?: StartVersion;
  key: IdempotencyKey | undefined;
  requestId: string;
  /** Of its request; empty: none. */
  traceparent: string;
  /** The time of the answer to a request with an idempotency key. */
  answeredAt: Date;
}

export interface OpenSession {
  /** Of its personal link; empty: none. */
  contactId: string;
}

/** An empty id while the survey is not published: it then takes nobody. */
export type StartVersion = Pick<PublishedVersion, "versionId" | "versionNumber">;

/** From so many characters reading a body takes a millisecond. */
const heavyBody = 10_000;

/**
 * Opens one item of a batch: verifies the caller or the respondent's token, parses the body, and makes sure that how the survey
 * and the link collect is stored here (items of one batch ask together). Throws `unauthorized`, `invalid_token`, `invalid_request`,
 * `validation_failed`, `survey_not_found`, `distributor_not_found`.
 */
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
  // A batch may hold many large bodies.
  if (bodyJson.length > heavyBody) await yieldToEventLoop();
  const body = npsElementId === "" ? parseSubmission(bodyJson) : parseNpsSubmission(bodyJson, npsElementId);
  const told = isId(surveyId) ? await tellSurvey(context, { workspaceId, surveyId }) : undefined;
  if (!told) throw shapeFirst(body, new AppError("survey_not_found"));
  return {
    workspaceId,
    surveyId,
    caller,
    body,
    told,
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
  // Nobody is asked anything for a token that is none.
  const session = readSession(cursors, code, sessionToken);
  const { workspaceId, surveyId, respondentId } = session;
  if (named !== respondentId) throw new AppError("invalid_token");
  if (bodyJson.length > heavyBody) await yieldToEventLoop();
  const body = parseLinkSubmission(bodyJson, respondentId);
  const [survey, link, contactId] = await Promise.all([
    tellSurvey(context, { workspaceId, surveyId }),
    tellLink(context, session),
    links.contactOf(session),
  ]);
  if (!survey || !link || contactId === undefined) throw shapeFirst(body, new AppError("distributor_not_found"));
  return {
    workspaceId,
    surveyId,
    caller: { live: true, timeZone: "" },
    body,
    session: { contactId },
    told: { ...survey, ...link },
    key: idempotency && idempotencyKey(macBody, workspaceId, idempotency),
    requestId: idempotency?.requestId ?? "",
    traceparent,
    answeredAt: answerTime(idempotency, now()),
  };
}

/** Empty where the state is stored here; undefined: there is no such survey. */
async function tellSurvey({ surveys }: ResponseContext, ref: SurveyRef): Promise<Told | undefined> {
  if (surveys.isKnown(ref)) return {};
  const survey = await surveys.collection(ref);
  return survey.found ? { survey } : undefined;
}

/** The same of a distributor. */
async function tellLink({ links }: ResponseContext, ref: DistributorRef): Promise<Told | undefined> {
  if (links.isKnown(ref)) return {};
  const link = await links.byDistributor(ref);
  return link.found ? { link } : undefined;
}

/** The survey and the respondent a submission names. */
export function refOf({ workspaceId, surveyId, body }: OpenSubmission) {
  return { workspaceId, surveyId, respondentId: body.respondentId };
}
