import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { LinkSchema } from "@canvass/proto/distribution-links";
import type { StoredSettings } from "../domain/distributor-settings.ts";
import type { LinkRow } from "../storage/links.ts";

export function linkMessage(row: LinkRow): MessageInitShape<typeof LinkSchema> {
  const { settingsJson, linkId, contactId, language, firstName, revision, code, ...fields } = row;
  const settings = JSON.parse(settingsJson) as StoredSettings;
  const { opensAt, closesAt, responseLimit, passwordHash, closedMessage, redirectUrl } = settings;
  return {
    found: true,
    ...fields,
    revision: BigInt(revision),
    code: code ?? "",
    linkId: linkId ?? "",
    contactId: contactId ?? "",
    language: language ?? "",
    firstName: firstName ?? "",
    ...(opensAt !== undefined && { opensAt: timestampFromDate(new Date(opensAt)) }),
    ...(closesAt !== undefined && { closesAt: timestampFromDate(new Date(closesAt)) }),
    ...(responseLimit !== undefined && { responseLimit: BigInt(responseLimit) }),
    allowMultiple: settings.allowMultiple ?? false,
    prefill: settings.prefill ?? false,
    hasPassword: passwordHash !== undefined,
    closedMessage: closedMessage ?? "",
    redirectUrl: redirectUrl ?? "",
    allowedOrigins: settings.allowedOrigins ?? [],
  };
}
