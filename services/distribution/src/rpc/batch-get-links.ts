import type { MessageInitShape } from "@bufbuild/protobuf";
import { isLinkCode } from "@canvass/access";
import { requireBatchSize } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type { BatchGetLinksRequest, BatchGetLinksResponseSchema, LinkRef } from "@canvass/proto/distribution-links";
import type { DistributionContext } from "../context.ts";
import { linkMessage } from "./link-message.ts";
import { findIssuedLinks, findLinksByCode, findLinksOfDistributors, type LinkRow } from "../storage/links.ts";

export async function batchGetLinks(
  { database: { hot } }: DistributionContext,
  { links }: BatchGetLinksRequest,
): Promise<MessageInitShape<typeof BatchGetLinksResponseSchema>> {
  requireBatchSize("links", links);
  const codes = valuesOf(links, ({ by }) => (by.case === "code" && isLinkCode(by.value) ? by.value : undefined));
  const distributors = valuesOf(links, ({ by }) =>
    by.case === "distributor" && isId(by.value.distributorId) ? by.value : undefined,
  );
  const issued = valuesOf(links, ({ by }) =>
    by.case === "issuedLink" && isId(by.value.distributorId) && isId(by.value.linkId) ? by.value : undefined,
  );
  const found = await Promise.all([
    codes.find((values) => findLinksByCode(hot.sql, values)),
    distributors.find((values) => findLinksOfDistributors(hot.sql, values)),
    issued.find((values) => findIssuedLinks(hot.sql, values)),
  ]);
  const rows = new Map(found.flat());
  return {
    links: links.map((_, index) => {
      const row = rows.get(index);
      return row ? linkMessage(row) : { found: false };
    }),
  };
}

/** Selects the references of one kind. `find` returns each result with its index in the request. */
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
