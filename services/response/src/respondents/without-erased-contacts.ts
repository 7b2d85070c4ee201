import type { Sql } from "@canvass/postgres";
import { findErasedContacts } from "../storage/respondents/erased-contacts.ts";
import type { WantedStart } from "./start-store.ts";

type Start = WantedStart | undefined;

/**
 * The starts, without contacts that were erased since these were permitted: nobody would erase what they answer. Holds the
 * other contacts until the transaction ends. Starts without contacts cost nothing.
 */
export async function withoutErasedContacts(sql: Sql, starts: readonly Start[]): Promise<readonly Start[]> {
  const named = starts.flatMap((start) => (start && start.respondent.contactId !== "" ? [start.respondent] : []));
  if (named.length === 0) return starts;
  const erased = new Set((await findErasedContacts(sql, named)).map(nameOf));
  return starts.map((start) => {
    if (!start || !erased.has(nameOf(start.respondent))) return start;
    return { ...start, respondent: { ...start.respondent, contactId: "", hasContact: false } };
  });
}

const nameOf = ({ workspaceId, contactId }: { workspaceId: string; contactId: string }) =>
  `${workspaceId} ${contactId}`;
