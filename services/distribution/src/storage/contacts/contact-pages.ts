import { firstIdOf } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Contact } from "../../domain/contacts/contact.ts";
import { searchKey } from "../../domain/contacts/contact-keys.ts";
import { contactColumns } from "./contact-columns.ts";

export interface ContactFilter {
  workspaceId: string;
  status: string | undefined;
  email: string | undefined;
  externalId: string | undefined;
  /** Earliest creation time, inclusive. */
  from: Date | undefined;
  /** Exclusive. */
  to: Date | undefined;
}

/** Newest first. Ids are in order of creation, so a range of times is a range of the index. */
export function findContactPage(
  sql: Sql,
  filter: ContactFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Contact[]> {
  const { where, params } = conditions(filter, after);
  return sql.query<Contact>(
    `SELECT ${contactColumns} FROM contacts c WHERE ${where} ORDER BY c.contact_id DESC LIMIT $${params.length + 1}`,
    [...params, limit],
  );
}

function conditions({ workspaceId, status, email, externalId, from, to }: ContactFilter, after: string | undefined) {
  const given: [condition: string, value: unknown][] = [
    ["c.status =", status],
    ["c.email_key =", email === undefined ? undefined : (searchKey(email) ?? "")],
    ["c.external_id =", externalId],
    ["c.contact_id >=", from && firstIdOf(from)],
    ["c.contact_id <", to && firstIdOf(to)],
    ["c.contact_id <", after],
  ];
  const present = given.filter(([, value]) => value !== undefined);
  const where = ["c.workspace_id = $1", ...present.map(([condition], index) => `${condition} $${index + 2}`)];
  return { where: where.join(" AND "), params: [workspaceId, ...present.map(([, value]) => value)] };
}
