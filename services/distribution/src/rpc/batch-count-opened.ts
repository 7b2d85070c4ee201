import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import { isId, newId } from "@canvass/values";
import { inTransaction, type Sql } from "@canvass/postgres";
import type {
  BatchCountOpenedRequest,
  BatchCountOpenedResponseSchema,
  IssuedLinkRef,
} from "@canvass/proto/distribution-links";
import type { DistributionContext } from "../context.ts";
import { insertActivities } from "../storage/contacts/contact-activities.ts";
import { saveOpened } from "../storage/contacts/opened-links.ts";
import { countOpened } from "../storage/opened-counts.ts";

/** The first opening of a personal link becomes an activity of its contact. */
export async function batchCountOpened(
  { database: { hot, pool }, now }: DistributionContext,
  { opened, links }: BatchCountOpenedRequest,
): Promise<MessageInitShape<typeof BatchCountOpenedResponseSchema>> {
  requireBatchSize("opened", opened);
  requireBatchSize("links", links);
  const known = opened.filter(({ distributorId }) => isId(distributorId));
  if (known.length > 0) await countOpened(hot.sql, known);
  const issued = links.filter(({ distributorId, linkId }) => isId(distributorId) && isId(linkId));
  if (issued.length > 0) await inTransaction(pool, (sql) => recordOpened(sql, issued, now()), { retryOnce: true });
  return {};
}

async function recordOpened(sql: Sql, links: readonly IssuedLinkRef[], at: Date): Promise<void> {
  const activity = { kind: "link_opened" as const, at, changedFields: [], importId: "" };
  const opened = await saveOpened(sql, links, at);
  await insertActivities(
    sql,
    opened.map((link) => ({ ...link, ...activity, activityId: newId(at) })),
  );
}
