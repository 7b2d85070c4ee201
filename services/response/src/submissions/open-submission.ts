import { AppError } from "@canvass/errors";
import type { IdempotencyKey } from "@canvass/postgres";
import { answerTime, idempotencyKey } from "@canvass/postgres/rpc";
import type { Caller } from "@canvass/proto/access";
import type { Submission } from "@canvass/proto/response";
import type { MacBody } from "@canvass/rpc";
import { ownTurn } from "@canvass/telemetry";
import { isId } from "@canvass/inputs";
import type { ResponseContext } from "../context.ts";
import type { Collection } from "../domain/collecting.ts";
import type { PublishedVersion } from "../domain/published-version.ts";
import type { Link } from "../domain/links/link.ts";
import { readSession } from "../links/session.ts";
import {
  parseLinkSubmission,
  parseSubmission,
  shapeFirst,
  type SubmissionBody,
} from "../domain/submissions/submission.ts";

/** A submission with a verified caller, a well-formed body and its survey's state. */
export interface OpenSubmission {
  workspaceId: string;
  surveyId: string;
  /** A respondent that came by a link counts as live, in its workspace's time zone. */
  caller: Pick<Caller, "live" | "timeZone">;
  body: SubmissionBody;
  collection: Collection;
  /** By which the respondent came, where its token told. */
  link?: Link;
  /** The version a new respondent starts on; absent: the body names a respondent. */
  startsOn?: StartVersion;
  key: IdempotencyKey | undefined;
  requestId: string;
  /** Of its request; empty: none. */
  traceparent: string;
  /** The time of the answer to a request with an idempotency key. */
  answeredAt: Date;
}

/** An empty id while the survey is not published: it then takes nobody. */
export type StartVersion = Pick<PublishedVersion, "versionId" | "versionNumber">;

/** From so many characters reading a body takes a millisecond. */
const heavyBody = 10_000;

/**
 * Opens one item of a batch: verifies the caller or the respondent's token, parses the body, asks how the survey and the
 * link collect (items of one batch ask together). Throws `unauthorized`, `invalid_token`, `invalid_request`,
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
  { verifyCaller, surveys, now }: ResponseContext,
  { caller: signedCaller, surveyId, bodyJson, idempotency, traceparent }: Submission,
  macBody: MacBody,
): Promise<OpenSubmission> {
  const caller = verifyCaller(signedCaller);
  if (!caller) throw new AppError("unauthorized");
  const { workspaceId } = caller;
  // A batch may hold many large bodies.
  if (bodyJson.length > heavyBody) await ownTurn();
  const body = parseSubmission(bodyJson);
  const collection = isId(surveyId) ? await surveys.collection({ workspaceId, surveyId }) : undefined;
  if (!collection?.found) throw shapeFirst(body, new AppError("survey_not_found"));
  return {
    workspaceId,
    surveyId,
    caller,
    body,
    collection,
    key: idempotency && idempotencyKey(macBody, workspaceId, idempotency),
    requestId: idempotency?.requestId ?? "",
    traceparent,
    answeredAt: answerTime(idempotency, now()),
  };
}

async function openLinkSubmission(
  { cursors, surveys, links, now }: ResponseContext,
  { code, sessionToken, respondentId: named, bodyJson, idempotency, traceparent }: Submission,
  macBody: MacBody,
): Promise<OpenSubmission> {
  // Nobody is asked anything for a token that is none.
  const session = readSession(cursors, code, sessionToken);
  const { workspaceId, surveyId, respondentId } = session;
  if (named !== respondentId) throw new AppError("invalid_token");
  if (bodyJson.length > heavyBody) await ownTurn();
  const body = parseLinkSubmission(bodyJson, respondentId);
  const [collection, link] = await Promise.all([
    surveys.collection({ workspaceId, surveyId }),
    links.bySession(session),
  ]);
  if (!link.found || !collection.found) throw shapeFirst(body, new AppError("distributor_not_found"));
  return {
    workspaceId,
    surveyId,
    caller: { live: true, timeZone: link.timeZone },
    body,
    collection,
    link,
    key: idempotency && idempotencyKey(macBody, workspaceId, idempotency),
    requestId: idempotency?.requestId ?? "",
    traceparent,
    answeredAt: answerTime(idempotency, now()),
  };
}

/** The survey and the respondent a submission names. */
export function refOf({ workspaceId, surveyId, body }: OpenSubmission) {
  return { workspaceId, surveyId, respondentId: body.respondentId };
}
