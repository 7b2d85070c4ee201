import type { ApiClient } from "@canvass/e2e";
import { waitFor } from "@canvass/testing";
import { Pool } from "pg";
import { fillContacts, fillPlainContacts, idOf, insertPlainContacts, timeOf } from "./bare/contacts.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { timed } from "./timed.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

const pageRows = 100;
/** Most rows of one import. */
const importedRows = 10_000;

/**
 * Measures contact imports beside a plain INSERT, then pages of a long list: the first, and one after a deep cursor.
 */
export async function measureContacts({ demo, bare, size, say }: BenchContext): Promise<Measurement[]> {
  const pool = new Pool({ connectionString: serviceDatabaseUrl(demo, "distribution"), max: 1 });
  try {
    await fillPlainContacts(bare.pool, 0);
    const rows = Array.from({ length: importedRows }, (_, index) => rowOf(index));
    const imported = await ratePerSecond(() => importAll(demo.api, rows));
    const inserted = await ratePerSecond(() => insertPlainContacts(bare.pool, rows));
    say(`import: ${Math.round(imported)} ours, ${Math.round(inserted)} bare rows/s`);

    const [first] = (await demo.api.get("/contacts?limit=1")).data;
    const { rows: found } = await pool.query<{ workspace_id: string }>(
      "SELECT workspace_id FROM contacts WHERE contact_id = $1",
      [first.id],
    );
    await fillContacts(pool, found[0]!.workspace_id, size.contacts);
    await fillPlainContacts(bare.pool, size.contacts);
    const middle = Math.floor(size.contacts / 2);
    const border = new Date(timeOf(middle)).toISOString();
    const { body } = await demo.api.get(`/contacts?limit=${pageRows}&to=${border}`);
    const cursor = encodeURIComponent(body.pagination.cursor_next);
    const plainPage = (before: string) => () =>
      bare.pool.query("SELECT * FROM contacts WHERE contact_id < $1 ORDER BY contact_id DESC LIMIT $2", [
        before,
        pageRows,
      ]);
    const page = (path: string) => () => demo.api.get(path);
    const times = async (work: () => Promise<unknown>) => {
      await work();
      const each: number[] = [];
      for (let turn = 0; turn < size.pages; turn += 1) each.push(await timed(work));
      return each;
    };
    const shallow = await times(page(`/contacts?limit=${pageRows}`));
    const deep = await times(page(`/contacts?limit=${pageRows}&to=${border}&cursor=${cursor}`));
    return [
      measured("contact_import", [imported], [inserted], "rows/s"),
      measured("contact_page", shallow, await times(plainPage("~")), "ms"),
      measured("contact_deep_page", deep, await times(plainPage(idOf(middle - pageRows))), "ms"),
    ];
  } finally {
    await pool.end();
  }
}

const rowOf = (index: number) => ({
  email: `person${index}@example.org`,
  firstName: `First${index % 977}`,
  lastName: `Last${index % 1009}`,
  externalId: `crm-${index}`,
});

async function importAll(api: ApiClient, rows: readonly object[]): Promise<void> {
  const { data } = await api.post("/contacts/imports", { rows, mode: "upsert", matchOn: "email" });
  const isDone = async () => (await api.get(`/contacts/imports/${data.id}`)).data.status === "completed";
  await waitFor(isDone, { describe: "the import", timeoutMs: 300_000 });
}

const ratePerSecond = async (work: () => Promise<unknown>) => (importedRows / (await timed(work))) * 1000;
