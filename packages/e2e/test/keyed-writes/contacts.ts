import { randomUUID } from "node:crypto";
import type { ApiClient } from "../../src/index.ts";
import { countAudited } from "./count-audited.ts";
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
      const { data } = await api.post("/contacts", { email: newAddress() });
      return {
        method: "PATCH",
        path: `/contacts/${data.id}`,
        body: { firstName: "Replayed" },
        headers: { "if-match": "*" },
        invalidBody: { firstName: 1 },
        effects: async () => ({
          audited: await countAudited(api, "contact.updated", data.id),
          activities: (await countActivities(api, data.id)) - 1,
        }),
      };
    },
  },
  {
    name: "unsubscribing a contact",
    service: "distribution",
    async prepare({ api }) {
      const { data } = await api.post("/contacts", { email: newAddress() });
      return {
        method: "POST",
        path: `/contacts/${data.id}/unsubscribe`,
        invalidBody: { unexpected: true },
        effects: async () => ({ audited: await countAudited(api, "contact.unsubscribed", data.id) }),
      };
    },
  },
  {
    name: "deleting contacts",
    service: "distribution",
    async prepare({ api }) {
      const email = newAddress();
      const { data } = await api.post("/contacts", { email });
      return {
        method: "POST",
        path: "/contacts/bulk-delete",
        body: { ids: [data.id] },
        invalidBody: { ids: [] },
        effects: async () => ({
          deleted: 1 - (await countContacts(api, email)),
          audited: await countAudited(api, "contact.deleted", data.id),
        }),
      };
    },
  },
  {
    name: "anonymizing a contact",
    service: "distribution",
    async prepare({ api }) {
      const { data } = await api.post("/contacts", { email: newAddress() });
      return {
        method: "POST",
        path: `/contacts/${data.id}/anonymize`,
        body: { confirm: true },
        invalidBody: { confirm: false },
        effects: async () => ({ audited: await countAudited(api, "contact.anonymized", data.id) }),
      };
    },
  },
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

/** Row count of the latest import. Each import has a different one, which identifies it. */
let imports = 0;

const countContacts = async (api: ApiClient, email: string): Promise<number> =>
  (await api.get(`/contacts?email=${encodeURIComponent(email)}`)).data.length;

const countActivities = async (api: ApiClient, contactId: string): Promise<number> =>
  (await api.get(`/contacts/${contactId}/activity`)).data.length;
