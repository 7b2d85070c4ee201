import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isId, requireBatchSize } from "@canvass/inputs";
import type {
  BatchGetLinksRequest,
  BatchGetLinksResponseSchema,
  LinkRef,
  LinkSchema,
} from "@canvass/proto/distribution-links";
import { collectionLeaseMs } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import type { StoredSettings } from "../domain/distributor-settings.ts";
import { isCode } from "../domain/link-code.ts";
import { findIssuedLinks, findLinksByCode, findLinksOfDistributors, type LinkRow } from "../storage/links.ts";

type LinkMessage = MessageInitShape<typeof LinkSchema>;

/** Says whether and how links collect, good for one lease: one statement for each kind of reference. */
export async function batchGetLinks(
  { database: { hot }, now }: DistributionContext,
  { links }: BatchGetLinksRequest,
): Promise<MessageInitShape<typeof BatchGetLinksResponseSchema>> {
  requireBatchSize("links", links);
  const at = now();
  const codes = valuesOf(links, ({ by }) => (by.case === "code" && isCode(by.value) ? by.value : undefined));
  const distributors = valuesOf(links, ({ by }) =>
    by.case === "distributor" && isId(by.value.distributorId) ? by.value : undefined,
  );
  const issued = valuesOf(links, ({ by }) =>
    by.case === "issuedLink" && isId(by.value.distributorId) && isId(by.value.linkId) ? by.value : undefined,
  );
  const found = await Promise.all([
    codes.find((values) => findLinksByCode(hot.sql, values, at)),
    distributors.find((values) => findLinksOfDistributors(hot.sql, values, at)),
    issued.find((values) => findIssuedLinks(hot.sql, values, at)),
  ]);
  const rows = new Map(found.flat());
  return { links: links.map((_, index) => linkMessage(rows.get(index))), leaseMs: collectionLeaseMs };
}

/** The references of one kind; what is found for them comes with their places in the request. */
function valuesOf<Value>(links: readonly LinkRef[], valueOf: (link: LinkRef) => Value | undefined) {
  const asked = links.flatMap((link, index) => {
    const value = valueOf(link);
    return value === undefined ? [] : [{ index, value }];
  });
  return {
    async find(
      search: (values: Value[]) => Promise<(LinkRow | undefined)[]>,
    ): Promise<[number, LinkRow | undefined][]> {
      const rows = await search(asked.map(({ value }) => value));
      return asked.map(({ index }, place) => [index, rows[place]]);
    },
  };
}

function linkMessage(row: LinkRow | undefined): LinkMessage {
  if (!row) return { found: false };
  const { settingsJson, linkId, contactId, language, ...fields } = row;
  const settings = JSON.parse(settingsJson) as StoredSettings;
  const { opensAt, closesAt, responseLimit, passwordHash, closedMessage, redirectUrl } = settings;
  return {
    found: true,
    ...fields,
    linkId: linkId ?? "",
    contactId: contactId ?? "",
    language: language ?? "",
    ...(opensAt !== undefined && { opensAt: timestampFromDate(new Date(opensAt)) }),
    ...(closesAt !== undefined && { closesAt: timestampFromDate(new Date(closesAt)) }),
    ...(responseLimit !== undefined && { responseLimit: BigInt(responseLimit) }),
    allowMultiple: settings.allowMultiple ?? false,
    hasPassword: passwordHash !== undefined,
    closedMessage: closedMessage ?? "",
    redirectUrl: redirectUrl ?? "",
    allowedOrigins: settings.allowedOrigins ?? [],
  };
}
