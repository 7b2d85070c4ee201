import { create } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { readBody, refuseViolations, startRespondentBody } from "@canvass/inputs";
import { isId } from "@canvass/values";
import { answerTime, findReplay, keyOfCall, replayMessage } from "@canvass/postgres/rpc";
import {
  StartRespondentResponseSchema,
  type StartRespondentRequest,
  type StartRespondentResponse,
} from "@canvass/proto/response";
import { readStartFields } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { Static } from "typebox";
import type { ResponseContext } from "../context.ts";
import { requireCollecting } from "../domain/collecting.ts";
import { requireOrigin } from "../application/respondents/require-origin.ts";
import type { PermittedStart } from "../application/respondents/start-store.ts";
import { requireQuotaLeft } from "../storage/response-quota.ts";

/** Starts a respondent on the published version (contract 7.1). */
export async function startRespondent(
  context: ResponseContext,
  request: StartRespondentRequest,
  call: Call,
): Promise<StartRespondentResponse> {
  // Before asking the survey service: a retry gets the stored response, even if the survey has changed since.
  const earlier = await findReplay(context.database.sql, call, StartRespondentResponseSchema, context.now());
  if (earlier) return earlier;
  const body = readBody(startRespondentBody, bodyOf(request));
  if (!isId(request.surveyId)) throw new AppError("survey_not_found");
  const { response, replay } = await context.storeStart(() => permit(context, request, body, call));
  if (replay) call.replayed(replayMessage(replay));
  return create(StartRespondentResponseSchema, { respondent: response.respondent, ignored: response.ignored });
}

async function permit(
  context: ResponseContext,
  { surveyId, country }: StartRespondentRequest,
  {
    distributorId = "",
    contactId = "",
    language = "",
    metadata = {},
    fields: given = {},
    orderSeed,
  }: Static<typeof startRespondentBody>,
  call: Call,
): Promise<PermittedStart> {
  const { caller, idempotency } = call;
  const ref = { workspaceId: caller.workspaceId, surveyId };
  const { settings, ...collectingState } = await context.surveys.collectingState(ref);
  const now = answerTime(idempotency, context.now());
  const link = await requireOrigin(context, ref, { distributorId, contactId }, now);
  requireCollecting({ settings, ...collectingState }, now);
  const version = await context.prepareVersion({ ...ref, versionId: collectingState.versionId });
  const isAnonymous = settings.privacy.anonymity === "full";
  const fields = readStartFields(version.definition.fields ?? [], given, { isAnonymous, isLink: false });
  refuseViolations(fields.violations);
  await requireQuotaLeft(context.database.sql, ref, settings);
  return {
    start: { ...ref, version, privacy: settings.privacy, isTest: !caller.live, timeZone: caller.timeZone },
    details: {
      language,
      distributorId,
      contactId,
      country,
      metadata,
      fields: fields.values,
      ...(orderSeed && { orderSeed }),
    },
    ignored: fields.ignored,
    validatedAgainst: { survey: collectingState.revision, ...(link && { link: link.revision }) },
    answeredAt: now,
    key: idempotency && keyOfCall(call, idempotency),
    requestId: call.requestId,
  };
}

/** Gateways of version 0.1.0 send fields instead of `bodyJson`. */
function bodyOf({ bodyJson, distributorId, contactId, language, metadataJson }: StartRespondentRequest): string {
  if (bodyJson !== "") return bodyJson;
  return JSON.stringify({
    ...(distributorId && { distributorId }),
    ...(contactId && { contactId }),
    ...(language && { language }),
    ...(metadataJson && { metadata: JSON.parse(metadataJson) as unknown }),
  });
}
