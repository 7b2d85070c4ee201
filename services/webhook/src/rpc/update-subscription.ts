import { AppError } from "@canvass/errors";
import { joinViolations, readObject, refuseViolations, requireUpdates, updateSubscriptionBody } from "@canvass/inputs";
import { findReplay } from "@canvass/postgres/rpc";
import {
  UpdateSubscriptionResponseSchema,
  type UpdateSubscriptionRequest,
  type UpdateSubscriptionResponse,
} from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { WebhookContext } from "../context.ts";
import { validateSubscriptionPatch, modeViolations, type SubscriptionPatch } from "../domain/subscription-patch.ts";
import { findSubscription, type StoredSubscription } from "../storage/subscriptions.ts";
import { applyPatch, MovedMeanwhile, type CheckedPatch } from "./apply-patch.ts";
import { destinationViolations } from "./destination-violations.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { pushWebhook } from "./webhook-change.ts";

/** Attempts before giving up on a subscription whose URL keeps changing. */
const TRIES = 3;

/** Changes fields, pauses and resumes (contract 8.3 to 8.5). */
export async function updateSubscription(
  context: WebhookContext,
  request: UpdateSubscriptionRequest,
  call: Call,
): Promise<UpdateSubscriptionResponse> {
  const response = await update(context, request, call);
  const { workspaceId } = call.caller;
  await pushWebhook(context, { workspaceId, subscriptionId: request.subscriptionId });
  return response;
}

/** Checks destinations before the transaction. */
async function update(
  context: WebhookContext,
  request: UpdateSubscriptionRequest,
  call: Call,
): Promise<UpdateSubscriptionResponse> {
  const replay = await findReplay(context.database.sql, call, UpdateSubscriptionResponseSchema, context.now());
  if (replay) return replay;
  for (let tries = 0; tries < TRIES; tries++) {
    const checked = await check(context, request, call);
    const updated = await unlessMoved(() =>
      idempotentWrite(context, call, UpdateSubscriptionResponseSchema, (transaction) =>
        applyPatch(context, transaction, call, checked),
      ),
    );
    if (updated) return updated;
  }
  throw new AppError("service_unavailable");
}

/** Reports all violations together, including those of the destination. */
async function check(context: WebhookContext, request: UpdateSubscriptionRequest, call: Call): Promise<CheckedPatch> {
  const { caller } = call;
  const { subscriptionId, bodyJson } = request;
  const body = readObject(bodyJson);
  requireUpdates(updateSubscriptionBody, body);
  const { patch, url, violations } = validateSubscriptionPatch(body);
  const subscription = await findSubscription(context.database.prisma, caller.workspaceId, subscriptionId);
  const destination = url ?? (subscription && patch.url === undefined ? resumed(subscription, patch) : undefined);
  const modes = subscription ? modeViolations(subscription, patch) : [];
  const more = modes.length > 0 ? modes : await destinationViolations(context, call, destination);
  refuseViolations(joinViolations(violations, more));
  if (!subscription) throw new AppError("subscription_not_found");
  requireWebhooks(caller);
  return { subscriptionId, patch, url, checkedUrl: destination && (patch.url ?? subscription.url) };
}

function resumed({ status, url }: StoredSubscription, patch: SubscriptionPatch): URL | undefined {
  return patch.status === "active" && status !== "active" && url !== null ? new URL(url) : undefined;
}

async function unlessMoved<Result>(write: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof MovedMeanwhile) return undefined;
    throw error;
  }
}
