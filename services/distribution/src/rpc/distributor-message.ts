import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { entityTag } from "@canvass/values";
import type { DistributorSchema, DistributorSettingsSchema } from "@canvass/proto/distribution";
import type { StoredSettings } from "../domain/distributor-settings.ts";
import { shownStatus, type DistributorStatus } from "../domain/distributor-state.ts";
import type { StoredDistributor } from "../storage/distributors.ts";
import type { Results } from "./distributor-results.ts";

export function distributorTag({ distributorId, revision }: StoredDistributor): string {
  return entityTag("distributor", distributorId, revision);
}

export function shownStatusOf(
  { status, settings: { closesAt, responseLimit } }: StoredDistributor,
  now: Date,
  results: Results | undefined,
): DistributorStatus {
  const rules = { status, closesAt: closesAt === undefined ? undefined : new Date(closesAt), responseLimit };
  return shownStatus(rules, now, results && Number(results.completed));
}

export function distributorMessage(
  distributor: StoredDistributor,
  now: Date,
  results: Results | undefined,
): MessageInitShape<typeof DistributorSchema> {
  const { distributorId, surveyId, type, name, code, settings, issuedLinks, opened } = distributor;
  return {
    distributorId,
    surveyId,
    type,
    name,
    status: shownStatusOf(distributor, now, results),
    code: code ?? "",
    settings: settingsMessage(settings),
    ...(results && { stats: { opened, started: results.started, completed: results.completed } }),
    issuedLinks,
    createdAt: timestampFromDate(distributor.createdAt),
    updatedAt: timestampFromDate(distributor.updatedAt),
    etag: distributorTag(distributor),
  };
}

function settingsMessage(settings: StoredSettings): MessageInitShape<typeof DistributorSettingsSchema> {
  const { opensAt, closesAt, responseLimit, passwordHash, allowMultiple, closedMessage, redirectUrl } = settings;
  return {
    ...(opensAt !== undefined && { opensAt: timestampFromDate(new Date(opensAt)) }),
    ...(closesAt !== undefined && { closesAt: timestampFromDate(new Date(closesAt)) }),
    ...(responseLimit !== undefined && { responseLimit: BigInt(responseLimit) }),
    hasPassword: passwordHash !== undefined,
    allowMultiple: allowMultiple ?? false,
    prefill: settings.prefill ?? false,
    closedMessage: closedMessage ?? "",
    redirectUrl: redirectUrl ?? "",
    allowedOrigins: settings.allowedOrigins ?? [],
  };
}
