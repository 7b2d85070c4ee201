import type { Sql } from "@canvass/postgres";
import type { DistributorKey } from "./distributors.ts";

export interface LinkRow extends DistributorKey {
  surveyId: string;
  type: string;
  status: string;
  settingsJson: string;
  timeZone: string;
  revision: number;
  /** Of the distributor; null if each person has their own link. */
  code: string | null;
  /** Null unless it is an issued link. */
  linkId: string | null;
  contactId: string | null;
  language: string | null;
  firstName: string | null;
}

type Placed = LinkRow & { position: number };

const columns = (link: string): string => `asked.position::int4 AS "position", d.workspace_id AS "workspaceId",
  d.distributor_id AS "distributorId", d.survey_id AS "surveyId", d.type, d.status, d.settings::text AS "settingsJson",
  d.time_zone AS "timeZone", d.revision, d.code, ${link}`;
const ofDistributor = columns(`NULL::text AS "linkId", NULL::text AS "contactId", NULL::text AS language,
  NULL::text AS "firstName"`);
const ofLink = columns(`l.link_id AS "linkId", l.contact_id AS "contactId", c.language, c.first_name AS "firstName"`);
/** Joins an issued link `l`. A personal link stops working when its contact is deleted or anonymized. */
const aroundLink = `JOIN distributors d ON d.workspace_id = l.workspace_id AND d.distributor_id = l.distributor_id
LEFT JOIN contacts c ON c.workspace_id = l.workspace_id AND c.contact_id = l.contact_id
WHERE (l.contact_id IS NULL OR c.status <> 'anonymized')`;

const BY_CODE = `SELECT ${ofDistributor}
FROM unnest($1::text[]) WITH ORDINALITY AS asked (code, position)
JOIN distributors d ON d.code = asked.code
UNION ALL
SELECT ${ofLink}
FROM unnest($1::text[]) WITH ORDINALITY AS asked (code, position)
JOIN issued_links l ON l.code = asked.code
${aroundLink}`;

const BY_DISTRIBUTOR = `SELECT ${ofDistributor}
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (workspace_id, distributor_id, position)
JOIN distributors d ON d.workspace_id = asked.workspace_id AND d.distributor_id = asked.distributor_id`;

const BY_LINK = `SELECT ${ofLink}
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (workspace_id, distributor_id, link_id, position)
JOIN issued_links l ON l.workspace_id = asked.workspace_id AND l.distributor_id = asked.distributor_id
  AND l.link_id = asked.link_id
${aroundLink}`;

/** In the order of the request; undefined if not found. */
export type FoundLinks = (LinkRow | undefined)[];

export async function findLinksByCode(sql: Sql, codes: readonly string[]): Promise<FoundLinks> {
  if (codes.length === 0) return [];
  return inOrder(codes, await sql.query<Placed>(BY_CODE, [codes]));
}

export async function findLinksOfDistributors(sql: Sql, keys: readonly DistributorKey[]): Promise<FoundLinks> {
  if (keys.length === 0) return [];
  return inOrder(keys, await sql.query<Placed>(BY_DISTRIBUTOR, keyColumns(keys)));
}

export async function findIssuedLinks(
  sql: Sql,
  keys: readonly (DistributorKey & { linkId: string })[],
): Promise<FoundLinks> {
  if (keys.length === 0) return [];
  const linkIds = keys.map(({ linkId }) => linkId);
  return inOrder(keys, await sql.query<Placed>(BY_LINK, [...keyColumns(keys), linkIds]));
}

function keyColumns(keys: readonly DistributorKey[]): [string[], string[]] {
  return [keys.map(({ workspaceId }) => workspaceId), keys.map(({ distributorId }) => distributorId)];
}

function inOrder(asked: readonly unknown[], rows: readonly Placed[]): FoundLinks {
  const found: FoundLinks = asked.map(() => undefined);
  for (const { position, ...row } of rows) found[position - 1] = row;
  return found;
}
