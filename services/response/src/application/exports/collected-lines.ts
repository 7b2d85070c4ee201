import type { ExportRow } from "../../storage/exports/export-rows.ts";
import type { ExportHost, ExportWork } from "./export-work.ts";

/** Adds to the lines of rows what stands beside answers, in the order of CollectedRow. */
export async function collectedLines(
  rows: readonly ExportRow[],
  { options: { contactFields, includeOrder = false } }: Pick<ExportWork, "options">,
  host: Pick<ExportHost, "contacts">,
): Promise<string[]> {
  const contactIds = contactFields ? [...new Set(rows.map(({ contactId }) => contactId))].filter(Boolean) : [];
  const values = contactIds.length === 0 ? [] : await host.contacts(contactIds);
  const written = new Map(contactIds.map((contactId, index) => [contactId, JSON.stringify(values[index])]));
  return rows.map(({ line, contactId, fields, orderSeed, isScreenedOut }) => {
    const own = written.get(contactId) ?? "null";
    const seed = includeOrder ? orderSeed : null;
    return `${line.slice(0, -1)}, ${own}, ${fields}, ${seed}, ${isScreenedOut}]`;
  });
}
