import { AppError } from "@canvass/errors";
import type { ContactService } from "@canvass/proto/distribution-contacts";
import type { RpcClient } from "@canvass/rpc";

export interface AskedContacts {
  workspaceId: string;
  contactIds: readonly string[];
  fields: readonly string[];
}

/** Returns current field values of contacts, in order. A missing value is empty; an unknown contact has no values. */
export type ReadContacts = (asked: AskedContacts) => Promise<string[][]>;

const timeoutMs = 10_000;

export function createContactReader(client: RpcClient<typeof ContactService>): ReadContacts {
  return async ({ workspaceId, contactIds, fields }) => {
    const contacts = contactIds.map((contactId) => ({ workspaceId, contactId }));
    const found = await client.batchFindContacts({ contacts, fields: [...fields] }, { timeoutMs });
    return found.contacts.map(({ found: isThere, values }) => {
      // A process of the previous version ignores `fields`.
      if (isThere && values.length < fields.length) throw new AppError("service_unavailable", { part: "distribution" });
      return values;
    });
  };
}
