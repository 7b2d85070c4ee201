import { firstIdOf } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Contact } from "../../domain/contacts/contact.ts";
import { searchKey } from "../../domain/contacts/contact-keys.ts";
import { contactColumns } from "./contact-columns.ts";
import type { ContactFilter } from "./contact-pages.ts";

/** Position of a contact in the results: the key that matched, and its id. */
export type SearchPosition = [key: string, contactId: string];

export interface SearchPage {
  found: { contact: Contact; position: SearchPosition }[];
  /** Where a scan stopped that found fewer than `limit`; undefined if it found `limit` or nothing is left. */
  end: SearchPosition | undefined;
}

const keyColumns = ["email_key", "name_key", "last_name_key"];
/** Entries that one page scans in each index. Limits the cost, whatever the filters exclude. */
const mostLookedAt = 1_000;
/** Sorts after every character in the columns' order. */
const last = "\u{10ffff}";

const begins = (column: string) => `${column} >= $2 AND ${column} < $3`;

/** Finds each contact only by the first of its matching keys in the order of the results. */
function branch(column: string, index: number): string {
  const others = keyColumns.flatMap((other, place) =>
    place === index ? [] : [`(${begins(other)} AND ${other} ${place < index ? "<=" : "<"} ${column}) IS NOT TRUE`],
  );
  return `(SELECT ${column} AS key, contact_id, ${index} AS branch, (${others.join(" AND ")}
      AND ($6::text IS NULL OR status = $6) AND contact_id >= $7 AND contact_id < $8
      AND ($9::text IS NULL OR email_key = $9) AND ($10::text IS NULL OR external_id = $10)) AS fits
    FROM contacts WHERE workspace_id = $1 AND ${column} < $3 AND (${column}, contact_id) > ($4, $5)
    ORDER BY ${column}, contact_id LIMIT ${mostLookedAt})`;
}

// Of a contact with one key twice, the row that fits comes first: a page may end with either.
const LOOK = `SELECT key, contact_id AS "contactId", branch, fits
FROM (${keyColumns.map(branch).join(" UNION ALL ")}) AS looked ORDER BY key, contact_id, fits DESC`;

interface Looked {
  key: string;
  contactId: string;
  branch: number;
  fits: boolean;
}

/** Finds contacts whose e-mail address, name or last name starts with `query`, in the order of these keys. */
export async function searchContacts(
  sql: Sql,
  { workspaceId, status, email, externalId, from, to }: ContactFilter,
  { query, after, limit }: { query: string; after: SearchPosition | undefined; limit: number },
): Promise<SearchPage> {
  const sought = searchKey(query) ?? "";
  // Keep one lower bound: with two, PostgreSQL scans the index from its start.
  const [afterKey, afterId] = after ?? [sought, ""];
  const looked = await sql.query<Looked>(LOOK, [
    workspaceId,
    sought,
    sought + last,
    afterKey,
    afterId,
    status ?? null,
    from ? firstIdOf(from) : "",
    to ? firstIdOf(to) : "~",
    email === undefined ? null : (searchKey(email) ?? ""),
    externalId ?? null,
  ]);
  const end = endOf(looked);
  const upTo = end ? looked.slice(0, looked.indexOf(end) + 1) : looked;
  const fitting = upTo.filter(({ fits }) => fits);
  const found = await contactsOf(sql, workspaceId, fitting.slice(0, limit));
  // Contacts that were deleted since the look are missing in a full page, too.
  const stop = fitting.length < limit ? end : fitting[limit - 1];
  return { found, end: stop && found.length < limit ? [stop.key, stop.contactId] : undefined };
}

/** Returns the last row up to which every index was scanned; undefined if all were scanned to the end. */
function endOf(looked: readonly Looked[]): Looked | undefined {
  const ends = keyColumns.flatMap((_, branch) => {
    const own = looked.filter((row) => row.branch === branch);
    return own.length < mostLookedAt ? [] : [own.at(-1)!];
  });
  return looked.find((row) => ends.includes(row));
}

async function contactsOf(sql: Sql, workspaceId: string, places: readonly Looked[]): Promise<SearchPage["found"]> {
  const contacts = await sql.query<Contact>(
    `SELECT ${contactColumns} FROM contacts c WHERE c.workspace_id = $1 AND c.contact_id = ANY($2::text[])`,
    [workspaceId, places.map(({ contactId }) => contactId)],
  );
  const byId = new Map(contacts.map((contact) => [contact.contactId, contact]));
  return places.flatMap(({ key, contactId }) => {
    const contact = byId.get(contactId);
    return contact ? [{ contact, position: [key, contactId] as SearchPosition }] : [];
  });
}
