import type { ExportRow } from "../../storage/exports/export-rows.ts";
import type { ExportHost, ExportWork } from "./export-work.ts";

export async function collectedLines(
  rows: readonly ExportRow[],
  { options: { contactFields } }: Pick<ExportWork, "options">,
  host: Pick<ExportHost, "contacts">,
): Promise<string[]> {
  const lines = rows.map(({ line }) => line);
  const contactIds = contactFields ? [...new Set(rows.map(({ contactId }) => contactId))].filter(Boolean) : [];
  if (contactIds.length === 0) return lines;
  const values = await host.contacts(contactIds);
  const written = new Map(contactIds.map((contactId, index) => [contactId, JSON.stringify(values[index])]));
  return rows.map(({ line, contactId }) => {
    const own = written.get(contactId);
    return own === undefined ? line : `${line.slice(0, -1)}, ${own}]`;
  });
}
