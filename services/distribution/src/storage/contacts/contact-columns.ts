import { contactTextNames } from "@canvass/inputs";

/** The column of each property of a contact, and its SQL type in a JSON record. */
const columns = {
  workspaceId: ["workspace_id", "text"],
  contactId: ["contact_id", "text"],
  email: ["email", "text"],
  emailKey: ["email_key", "text"],
  phone: ["phone", "text"],
  firstName: ["first_name", "text"],
  lastName: ["last_name", "text"],
  nameKey: ["name_key", "text"],
  lastNameKey: ["last_name_key", "text"],
  externalId: ["external_id", "text"],
  language: ["language", "text"],
  attributes: ["attributes", "jsonb"],
  status: ["status", "text"],
  revision: ["revision", "int"],
  createdAt: ["created_at", "timestamptz"],
  updatedAt: ["updated_at", "timestamptz"],
  unsubscribedAt: ["unsubscribed_at", "timestamptz"],
  anonymizedAt: ["anonymized_at", "timestamptz"],
} as const;

const entries = Object.entries(columns);
const keyProperties = ["workspaceId", "contactId"];
const searched = ["emailKey", "nameKey", "lastNameKey"];

/** Selects a contact from table `c`, without its search keys. */
export const contactColumns = entries
  .filter(([property]) => !searched.includes(property))
  .map(([property, [column]]) => `c.${column} AS "${property}"`)
  .join(", ");

/** Selects the texts of a contact from table `c` as JSON, by name. */
export const contactTexts = `jsonb_build_object(${contactTextNames
  .map((name) => `'${name}', c.${columns[name][0]}`)
  .join(", ")})`;

const names = entries.map(([, [column]]) => column).join(", ");
const shape = entries.map(([property, [, type]]) => `"${property}" ${type}`).join(", ");
const values = entries.map(([property]) => `r."${property}"`).join(", ");
const assignments = entries
  .filter(([property]) => !keyProperties.includes(property))
  .map(([property, [column]]) => `${column} = r."${property}"`)
  .join(", ");

/** Both statements take a JSON array of contacts with their search keys. */
export const insertStatement = `INSERT INTO contacts (${names})
SELECT ${values} FROM jsonb_to_recordset($1::jsonb) AS r (${shape})`;

export const updateStatement = `UPDATE contacts c SET ${assignments} FROM jsonb_to_recordset($1::jsonb) AS r (${shape})
WHERE (c.workspace_id, c.contact_id) = (r."workspaceId", r."contactId")`;
