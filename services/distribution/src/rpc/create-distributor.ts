import { hashPassword, newLinkCode } from "@canvass/access";
import { AppError } from "@canvass/errors";
import {
  createDistributorBody,
  violationsBelow,
  mostDistributors,
  readBody,
  refuseViolations,
  type CreateDistributorBody,
} from "@canvass/inputs";
import { newId } from "@canvass/values";
import { findReplay } from "@canvass/postgres/rpc";
import {
  CreateDistributorResponseSchema,
  type CreateDistributorRequest,
  type CreateDistributorResponse,
} from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import { sharesCode } from "../domain/shares-code.ts";
import {
  keptPasswordViolations,
  requireSettingsPlan,
  settingsViolations,
  storedSettings,
} from "../domain/distributor-settings.ts";
import { insertDistributor, lockAndCountDistributors } from "../storage/distributors.ts";
import { distributorMessage } from "./distributor-message.ts";
import { auditedDistributor, appendAuditEvent } from "./append-audit-event.ts";
import { requireSurvey } from "./require-survey.ts";

export async function createDistributor(
  context: DistributionContext,
  { surveyId, bodyJson }: CreateDistributorRequest,
  call: Call,
): Promise<CreateDistributorResponse> {
  const { workspaceId, plan, timeZone } = call.caller;
  // Before any check: a retry gets the same response, even if the survey has changed since.
  const replay = await findReplay(context.database.sql, call, CreateDistributorResponseSchema, context.now());
  if (replay) return replay;
  const { name, type = "link", settings = {} } = readDistributor(bodyJson);
  await requireSurvey(context, { workspaceId, surveyId });
  requireSettingsPlan(settings, plan, { prefix: "settings." });
  const hash = typeof settings.password === "string" ? await hashPassword(settings.password) : undefined;
  return idempotentWrite(context, call, CreateDistributorResponseSchema, async (transaction) => {
    const { sql, prisma } = transaction;
    const present = await lockAndCountDistributors(sql, prisma, { workspaceId, surveyId });
    if (present >= mostDistributors) throw tooMany(present + 1);
    const at = context.now();
    const distributor = await insertDistributor(prisma, {
      workspaceId,
      distributorId: newId(at),
      surveyId,
      type,
      name,
      status: "draft",
      code: sharesCode(type) ? newLinkCode() : null,
      settings: storedSettings(settings, hash),
      timeZone,
      createdAt: at,
      updatedAt: at,
    });
    const after = auditedDistributor(distributor);
    const { distributorId } = distributor;
    await appendAuditEvent(transaction, call, { at, action: "distributor.created", distributorId, after });
    return { distributor: distributorMessage(distributor, at, { started: 0n, completed: 0n }) };
  });
}

function readDistributor(bodyJson: string): CreateDistributorBody {
  const body = readBody(createDistributorBody, bodyJson);
  const { settings = {} } = body;
  refuseViolations(
    violationsBelow("settings", [...settingsViolations(settings), ...keptPasswordViolations(settings, {})]),
  );
  return body;
}

function tooMany(requested: number): AppError {
  const details = { limit: mostDistributors, requested, required_plan: null, unit: "distributors" };
  return new AppError("quota_exceeded", details, "The survey has as many distributors as it may have.");
}
