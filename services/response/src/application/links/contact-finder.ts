import { createBatcher } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";
import type { ContactService } from "@canvass/proto/distribution-contacts";
import { type RpcClient } from "@canvass/rpc";
import type { ContactRef } from "../../storage/respondents/contact-respondents.ts";

/** Returns a contact's status in the distribution service. Empty if there is no such contact. */
export type FindContactStatus = (contact: ContactRef) => Promise<string>;

const timeoutMs = 3_000;

/** Never cached, because an anonymized contact must not start. */
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
