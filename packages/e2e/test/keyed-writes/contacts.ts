import { randomUUID } from "node:crypto";
import type { ApiClient } from "../../src/index.ts";
import { auditedWrite, countAudited } from "./audited-write.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Writes of contacts and their imports. */
export const contactWrites: KeyedOperation[] = [
  {
    name: "creating a contact",
    service: "distribution",
    async prepare({ api }) {
      const email = newAddress();
      const effects = async () => ({ contacts: await countContacts(api, email) });
      return { method: "POST", path: "/contacts", body: { email }, invalidBody: { email: "nobody" }, effects };
    },
  },
  {
    name: "patching a contact",
    service: "distribution",
    async prepare({ api }) {
      const contactId = await newContact(api);
      return {
        method: "PATCH",
        path: `/contacts/${contactId}`,
        body: { firstName: "Replayed" },
        headers: { "if-match": "*" },
        invalidBody: { firstName: 1 },
        effects: async () => ({
          audited: await countAudited(api, "contact.updated", contactId),
          activities: (await countActivities(api, contactId)) - 1,
        }),
      };
    },
  },
  auditedWrite("unsubscribing a contact", "distribution", "contact.unsubscribed", async ({ api }) => {
    const resource = await newContact(api);
    const path = `/contacts/${resource}/unsubscribe`;
    return { resource, method: "POST", path, invalidBody: { unexpected: true } };
  }),
  {
    name: "deleting contacts",
    service: "distribution",
    async prepare({ api }) {
      const email = newAddress();
      const contactId = await newContact(api, email);
      return {
        method: "POST",
        path: "/contacts/bulk-delete",
        body: { ids: [contactId] },
        invalidBody: { ids: [] },
        effects: async () => ({
          deleted: 1 - (await countContacts(api, email)),
          audited: await countAudited(api, "contact.deleted", contactId),
        }),
      };
    },
  },
  auditedWrite("anonymizing a contact", "distribution", "contact.anonymized", async ({ api }) => {
    const resource = await newContact(api);
    const path = `/contacts/${resource}/anonymize`;
    return { resource, method: "POST", path, body: { confirm: true }, invalidBody: { confirm: false } };
  }),
  {
    name: "requesting an import",
    service: "distribution",
    async prepare({ databases }) {
      const email = newAddress();
      const count = `SELECT count(*)::int AS imports FROM contact_imports i WHERE mode = 'create' AND total = ${++imports}`;
      const rows = Array.from({ length: imports }, () => ({ email }));
      return {
        method: "POST",
        path: "/contacts/imports",
        body: { rows, mode: "create" },
        invalidBody: { rows: [] },
        effects: async () => (await databases.query<{ imports: number }>("distribution", count))[0]!,
      };
    },
  },
  {
    name: "requesting an import of a file",
    service: "distribution",
    async prepare({ databases }) {
      const externalId = randomUUID();
      const count = `SELECT count(*)::int AS imports FROM contact_imports i WHERE match_on = 'externalId' AND total = ${++imports}`;
      const lines = ["externalId", ...Array.from({ length: imports }, () => externalId)];
      return {
        method: "POST",
        path: "/contacts/imports/csv?matchOn=externalId",
        body: lines.join("\n"),
        headers: { "content-type": "text/csv" },
        invalidBody: "externalId",
        effects: async () => (await databases.query<{ imports: number }>("distribution", count))[0]!,
      };
    },
  },
];

const newAddress = () => `${randomUUID()}@example.org`;

async function newContact(api: ApiClient, email = newAddress()): Promise<string> {
  return (await api.post("/contacts", { email })).data.id;
}

/** Row count of the latest import. Each import has a different one, which identifies it. */
let imports = 0;

const countContacts = async (api: ApiClient, email: string): Promise<number> =>
  (await api.get(`/contacts?email=${encodeURIComponent(email)}`)).data.length;

const countActivities = async (api: ApiClient, contactId: string): Promise<number> =>
  (await api.get(`/contacts/${contactId}/activity`)).data.length;
