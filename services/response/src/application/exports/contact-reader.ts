import { AppError } from "@canvass/errors";
import type { ContactService } from "@canvass/proto/distribution-contacts";
import type { RpcClient } from "@canvass/rpc";

export interface AskedContacts {
  workspaceId: string;
  contactIds: readonly string[];
  fields: readonly string[];
}

/** Gives what contacts hold in some fields now, in order; empty: nothing. A contact that does not exist has no values. */
export type ReadContacts = (asked: AskedContacts) => Promise<string[][]>;

const timeoutMs = 10_000;

export function createContactReader(client: RpcClient<typeof ContactService>): ReadContacts {
  return async ({ workspaceId, contactIds, fields }) => {
    const contacts = contactIds.map((contactId) => ({ workspaceId, contactId }));
    const found = await client.batchFindContacts({ contacts, fields: [...fields] }, { timeoutMs });
    return found.contacts.map(({ found: isThere, values }) => {
      // A process of the version before knows no fields.
      if (isThere && values.length < fields.length) throw new AppError("service_unavailable", { part: "distribution" });
      return values;
    });
  };
}
