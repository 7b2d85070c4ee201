import type { Sql } from "@canvass/postgres";
import type { PrismaOrTransaction, DistributorKey } from "./distributors.ts";

/** A link for one person. */
export interface StoredLink {
  linkId: string;
  code: string;
  /** Null unless it is a personal link. */
  contactId: string | null;
  createdAt: Date;
}

const INSERT = `INSERT INTO issued_links (workspace_id, distributor_id, link_id, code, contact_id, created_at)
SELECT $1, $2, link_id, code, contact_id, created_at
FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[]) AS given (link_id, code, contact_id, created_at)`;

const COUNT = `UPDATE distributors SET issued_links = issued_links + $3::int4 WHERE workspace_id = $1 AND distributor_id = $2`;

/** Requires the lock on the distributor, whose count of links it increases. */
export async function insertIssuedLinks(
  sql: Sql,
  { workspaceId, distributorId }: DistributorKey,
  links: readonly StoredLink[],
): Promise<void> {
  if (links.length === 0) return;
  const linkIds = links.map(({ linkId }) => linkId);
  const codes = links.map(({ code }) => code);
  const contactIds = links.map(({ contactId }) => contactId);
  const times = links.map(({ createdAt }) => createdAt);
  await sql.query(INSERT, [workspaceId, distributorId, linkIds, codes, contactIds, times]);
  await sql.query(COUNT, [workspaceId, distributorId, links.length]);
}

const select = { linkId: true, code: true, contactId: true, createdAt: true } as const;

export function findIssuedLinkPage(
  { issuedLink }: PrismaOrTransaction,
  { workspaceId, distributorId }: DistributorKey,
  { after, limit }: { after?: string; limit: number },
): Promise<StoredLink[]> {
  const where = { workspaceId, distributorId, ...(after !== undefined && { linkId: { gt: after } }) };
  return issuedLink.findMany({ where, orderBy: { linkId: "asc" }, take: limit, select });
}

export function findLinksOfContacts(
  { issuedLink }: PrismaOrTransaction,
  { workspaceId, distributorId }: DistributorKey,
  contactIds: readonly string[],
): Promise<StoredLink[]> {
  return issuedLink.findMany({ where: { workspaceId, distributorId, contactId: { in: [...contactIds] } }, select });
}
