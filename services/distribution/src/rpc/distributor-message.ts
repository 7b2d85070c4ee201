import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { entityTag } from "@canvass/values";
import type { DistributorSchema, DistributorSettingsSchema } from "@canvass/proto/distribution";
import type { StoredSettings } from "../domain/distributor-settings.ts";
import { shownStatus, type DistributorStatus } from "../domain/distributor-state.ts";
import type { StoredDistributor } from "../storage/distributors.ts";
import type { Results } from "./distributor-results.ts";

/** The tags that a distributor can have until its next change. */
export function distributorTags({ distributorId, revision }: StoredDistributor) {
  return {
    asStored: entityTag("distributor", distributorId, revision),
    /** Once its time or limit has closed it, which writes nothing. */
    closedByItself: entityTag("distributor closed by itself", distributorId, revision),
  };
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
  const status = shownStatusOf(distributor, now, results);
  const tags = distributorTags(distributor);
  return {
    distributorId,
    surveyId,
    type,
    name,
    status,
    code: code ?? "",
    settings: settingsMessage(settings),
    ...(results && { stats: { opened, started: results.started, completed: results.completed } }),
    issuedLinks,
    createdAt: timestampFromDate(distributor.createdAt),
    updatedAt: timestampFromDate(distributor.updatedAt),
    etag: status === distributor.status ? tags.asStored : tags.closedByItself,
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
