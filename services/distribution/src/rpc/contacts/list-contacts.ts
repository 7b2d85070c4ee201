import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { contactsQuery, refuseViolations, shapeViolations, type Violation } from "@canvass/inputs";
import { isStorable, unstorableTextMessage } from "@canvass/values";
import { openPage } from "@canvass/postgres";
import type { ListContactsRequest, ListContactsResponseSchema } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import type { Contact } from "../../domain/contacts/contact.ts";
import { searchKey } from "../../domain/contacts/contact-keys.ts";
import { findErasures } from "../../storage/contacts/contact-erasures.ts";
import { findContactPage, type ContactFilter } from "../../storage/contacts/contact-pages.ts";
import { searchContacts, type SearchPosition } from "../../storage/contacts/contact-search.ts";
import { contactMessage } from "./contact-message.ts";

type Answer = MessageInitShape<typeof ListContactsResponseSchema>;
type PageEnd = { nextCursor: string; hasMore: boolean };

/** Newest first. Search results come in the order of the matching keys (contract 11.3). */
export async function listContacts(
  context: DistributionContext,
  request: ListContactsRequest,
  { caller: { workspaceId } }: Call,
): Promise<Answer> {
  const { status, email, externalId, query = "" } = request;
  const [from, to] = [request.from && timestampDate(request.from), request.to && timestampDate(request.to)];
  const filter: ContactFilter = { workspaceId, status, email, externalId, from, to };
  const bound = ["contacts", workspaceId, status, email, externalId, query, from?.getTime(), to?.getTime()];
  const violations = filterViolations({ status, email, externalId, q: query });
  const binding = bound.map((part) => part ?? null);
  const { contacts, ...end } = searchKey(query)
    ? await search(context, request, { filter, binding, violations })
    : await list(context, request, { filter, binding, violations });
  const ids = contacts.filter(({ anonymizedAt }) => anonymizedAt).map(({ contactId }) => contactId);
  const erasures = ids.length === 0 ? [] : await findErasures(context.database.sql, workspaceId, ids);
  const own = ({ contactId }: Contact) => erasures.filter((erasure) => erasure.contactId === contactId);
  return { ...end, contacts: contacts.map((contact) => contactMessage(contact, own(contact))) };
}

interface Sought {
  filter: ContactFilter;
  binding: (string | number | null)[];
  violations: Violation[];
}

type Found = PageEnd & { contacts: Contact[] };

async function list(
  { database: { sql }, cursors }: DistributionContext,
  request: ListContactsRequest,
  { filter, binding, violations }: Sought,
): Promise<Found> {
  const page = openPage<[string]>(cursors, binding, request);
  refuseViolations([...violations, ...page.violations]);
  const found = await findContactPage(sql, filter, { after: page.after?.[0], limit: page.fetch });
  const { rows, ...end } = page.cut(found, ({ contactId }) => [contactId]);
  return { contacts: rows, ...end };
}

async function search(
  { database: { sql }, cursors }: DistributionContext,
  request: ListContactsRequest,
  { filter, binding, violations }: Sought,
): Promise<Found> {
  const page = openPage<SearchPosition>(cursors, binding, request);
  refuseViolations([...violations, ...page.violations]);
  const wanted = { query: request.query ?? "", after: page.after, limit: page.fetch };
  const { found, end } = await searchContacts(sql, filter, wanted);
  const { rows, nextCursor, hasMore } = page.cut(found, ({ position }) => position);
  const contacts = rows.map(({ contact }) => contact);
  if (hasMore || !end) return { contacts, nextCursor, hasMore };
  return { contacts, nextCursor: page.cursorAt(end), hasMore: true };
}

function filterViolations(given: Record<string, string | undefined>): Violation[] {
  const properties: Record<string, object> = contactsQuery.properties;
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || value === "") return [];
    return isStorable(value)
      ? shapeViolations(properties[name]!, value, name)
      : [{ path: name, message: unstorableTextMessage }];
  });
}
