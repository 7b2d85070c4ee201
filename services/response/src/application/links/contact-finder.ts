import { mostBatchItems } from "@canvass/inputs";
import type { ContactService } from "@canvass/proto/distribution-contacts";
import { createBatcher, type RpcClient } from "@canvass/rpc";
import type { ContactRef } from "../../storage/respondents/contact-respondents.ts";

/** Gives the status that a contact has in the distribution service; empty: there is no such contact. */
export type FindContactStatus = (contact: ContactRef) => Promise<string>;

const timeoutMs = 3_000;

/** Asks anew each time, because an anonymized contact may start nobody. */
export function createContactFinder(client: RpcClient<typeof ContactService>): FindContactStatus {
  return createBatcher({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    ownerOf: ({ workspaceId }) => workspaceId,
    send: async (asked: ContactRef[]) => {
      const { contacts } = await client.batchFindContacts({ contacts: asked }, { timeoutMs });
      return contacts.map(({ status }) => status);
    },
  });
}
