import { create, fromBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import {
  readObject,
  refuseViolations,
  shapeViolations,
  startLinkRespondentBody,
  validationFailed,
} from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { findEarlierAnswers, answerTime, idempotencyKey, replayMessage } from "@canvass/postgres/rpc";
import {
  StartLinkRespondentResponseSchema,
  type StartLinkRespondentRequest,
  type StartLinkRespondentResponse,
} from "@canvass/proto/response-links";
import { readStartFields } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { Static } from "typebox";
import type { ResponseContext } from "../context.ts";
import { notCollecting, requireCollecting, type CollectingState } from "../domain/collecting.ts";
import { requireLinkCollecting, type OpenedLink } from "../domain/links/link.ts";
import { newNonce, signSession } from "../application/links/session.ts";
import { findRespondentRows, type RespondentRef } from "../storage/respondents/respondents.ts";
import { isLinkFull, requireQuotaLeft } from "../storage/response-quota.ts";
import type { PermittedStart, Started } from "../application/respondents/start-store.ts";

type Body = Static<typeof startLinkRespondentBody>;
type AskedStart = Body & Pick<StartLinkRespondentRequest, "country" | "idempotency">;

/** Starts a respondent that opened a link (contract 7.16). */
export async function startLinkRespondent(
  context: ResponseContext,
  request: StartLinkRespondentRequest,
  call: Call,
): Promise<StartLinkRespondentResponse> {
  const { code, idempotency } = request;
  const body = readObject(bodyOf(request));
  const violations = shapeViolations(startLinkRespondentBody, body);
  const link = await openLink(context, code).catch((error: unknown) => {
    refuseViolations(violations);
    throw error;
  });
  const key = idempotency && idempotencyKey(call.macBody, link.workspaceId, idempotency);
  // Before any validation: a retry gets the stored response, even if the link or the survey has changed since.
  const { database, now } = context;
  const earlier = key && (await findEarlierAnswers(database.hot.sql, [{ item: key, key }], now())).get(key);
  if (earlier instanceof AppError) throw earlier;
  if (earlier) {
    return withToken(context, code, link, {
      response: fromBinary(StartLinkRespondentResponseSchema, earlier.response),
      replay: earlier,
    });
  }
  refuseViolations(violations);
  const asked = { ...(body as Body), country: request.country, idempotency };
  const started = await context.storeStart(async () => permit(context, asked, await openLink(context, code), call));
  return withToken(context, code, link, started);
}

async function openLink({ links }: ResponseContext, code: string): Promise<OpenedLink> {
  const link = await links.byCode(code);
  if (!link.found || link.isHeld || link.status === "draft") throw new AppError("distributor_not_found");
  return link;
}

async function permit(
  context: ResponseContext,
  asked: AskedStart,
  link: OpenedLink,
  { macBody, requestId }: Call,
): Promise<PermittedStart> {
  const {
    password = "",
    language: wanted = "",
    metadata = {},
    fields: given = {},
    orderSeed,
    country,
    idempotency,
  } = asked;
  const now = answerTime(idempotency, context.now());
  const { versionId, settings, revision } = await requireOpen(context, link, password, now);
  const { workspaceId, surveyId, distributorId, linkId, contactId, timeZone } = link;
  // Under partial or full anonymity the respondent gets no data of the contact.
  const language = wanted || (settings.privacy.anonymity === "none" ? link.language : "");
  const version = await context.prepareVersion({ workspaceId, surveyId, versionId });
  // The order of a personal link comes from its code, so with anonymity it would tell whose the answers are.
  const hidesOrder = link.type === "personal_link" && settings.privacy.anonymity !== "none";
  const seed = hidesOrder ? { orderSeed: null } : orderSeed && { orderSeed };
  const isAnonymous = settings.privacy.anonymity === "full";
  const fields = readStartFields(version.definition.fields ?? [], given, { isAnonymous, isLink: true });
  return {
    start: { workspaceId, surveyId, version, privacy: settings.privacy, isTest: false, timeZone },
    details: { language, distributorId, contactId, country, metadata, fields: fields.values, ...seed },
    ignored: fields.ignored,
    link: { linkId, isPersonal: link.type === "personal_link", nonce: newNonce() },
    validatedAgainst: { survey: revision, link: link.revision },
    answeredAt: now,
    key: idempotency && idempotencyKey(macBody, workspaceId, idempotency),
    requestId: idempotency?.requestId ?? requestId,
  };
}

async function requireOpen(
  { database, links, surveys }: ResponseContext,
  link: OpenedLink,
  password: string,
  now: Date,
): Promise<CollectingState> {
  requireLinkCollecting(link, now);
  const collectingState = await surveys.collectingState(link);
  requireCollecting(collectingState, now);
  const { settings, hasPassword } = collectingState;
  if (settings.access.inviteOnly && link.linkId === "") throw notCollecting("invite_only");
  if (await isLinkFull(database.sql, link)) throw notCollecting("link_limit");
  await requireQuotaLeft(database.sql, link, settings);
  if (!link.hasPassword && !hasPassword) return collectingState;
  // A link's own password replaces the survey's.
  const asks = link.hasPassword ? links : surveys;
  if (password === "") throw passwordViolation("is required");
  if (!(await asks.verifyPassword(link, password))) throw passwordViolation("is not the right one");
  return collectingState;
}

const passwordViolation = (message: string) => validationFailed([{ path: "password", message }]);

async function withToken(
  { cursors, database }: ResponseContext,
  code: string,
  { workspaceId, distributorId, linkId }: OpenedLink,
  { response, replay }: Started,
): Promise<StartLinkRespondentResponse> {
  const { respondent, sessionToken: nonce } = response;
  if (!respondent) throw new Error("a start without respondent was recorded");
  const { surveyId, respondentId } = respondent;
  if (replay) Object.assign(respondent, await readPersonal(database.sql, { workspaceId, respondentId }));
  const session = { workspaceId, surveyId, respondentId, distributorId, linkId, nonce };
  return create(StartLinkRespondentResponseSchema, {
    ...response,
    sessionToken: signSession(cursors, code, session),
    ...(replay && { replay: replayMessage(replay) }),
  });
}

/** Records of starts leave these out. Both are empty once the respondent is erased. */
async function readPersonal(sql: Sql, ref: RespondentRef): Promise<{ language: string; fieldsJson: string }> {
  const [row] = await findRespondentRows(sql, [ref]);
  return { language: row?.language ?? "", fieldsJson: JSON.stringify(row?.fields ?? {}) };
}

/** Gateways of version 0.1.0 send fields instead of `bodyJson`. */
function bodyOf({ bodyJson, password, language, metadataJson }: StartLinkRespondentRequest): string {
  if (bodyJson !== "") return bodyJson;
  return JSON.stringify({
    ...(password && { password }),
    ...(language && { language }),
    ...(metadataJson && { metadata: JSON.parse(metadataJson) as unknown }),
  });
}
