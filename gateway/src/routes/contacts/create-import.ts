import { createImportBody, importQuery, mostCsvBytes } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { csvBodies, csvType } from "../../plugins/body/csv-bodies.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { accepted } from "../location.ts";
import { envelope, withExamples } from "../schemas.ts";
import { importPreviewSchema, importPreviewView } from "./import-preview-view.ts";
import { importSchema, importView } from "./import-view.ts";

const body = withExamples(createImportBody, {
  rows: {
    summary: "Two people",
    value: {
      rows: [
        { email: "grace@example.org", firstName: "Grace", lastName: "Hopper", attributes: { plan: "pro" } },
        { email: "alan@example.org", firstName: "Alan", lastName: "Turing" },
      ],
      mode: "upsert",
      matchOn: "email",
    },
  },
});

const csvExample = "email,firstName,lastName,plan\ngrace@example.org,Grace,Hopper,pro\nalan@example.org,Alan,Turing,\n";

const description = `Rows as JSON (at most 1 MiB), or a file as \`text/csv\` with \`mode\` and \`matchOn\` in the query (at most ${mostCsvBytes / 1_048_576} MiB, also when it is
decompressed); at most 10,000 rows. The first line of a file has the headings: names of fields in any spelling (\`E-Mail\`, \`first_name\`),
every other heading is an attribute. Columns are separated by commas, semicolons or tabs; the text is of the \`charset\` that
\`Content-Type\` declares, else UTF-8, UTF-16 with a byte order mark, or Windows-1252. An empty cell changes nothing. With
\`dryRun=true\` nothing is kept: the answer (200) shows the first ten rows as they would be stored, and the faults of all.

The import runs in the background: ask \`GET /contacts/imports/{importId}\` until its \`status\` is \`completed\`. Rows are applied one after the other; those at
fault are told by row and column, and the others are stored. With \`upsert\` (the default) a row changes the contact that has the same
\`matchOn\` (default \`email\`), with \`create\` it skips it. A workspace has eleven unfinished imports (429 for more).`;

export function registerCreateImportRoute(api: Api, context: GatewayContext): void {
  csvBodies(api, mostCsvBytes);
  api.post(
    "/contacts/imports",
    {
      config: {
        scope: "contacts:write",
        idempotent: true,
        bodyTypes: { [csvType]: { summary: "A file", value: csvExample } },
      },
      schema: {
        operationId: "createContactImport",
        tags: ["Contacts"],
        summary: "Import contacts",
        description,
        querystring: importQuery,
        body,
        response: {
          200: envelope("What would be imported", importPreviewSchema),
          202: envelope("The queued import", importSchema),
        },
      },
    },
    async (request, reply) => {
      const { body: sent, bodyText, bodyCharset: charset } = request;
      const { dryRun, ...settings } = request.query;
      const source = Buffer.isBuffer(sent)
        ? { case: "csv" as const, value: sent }
        : { case: "bodyJson" as const, value: bodyText! };
      const { contacts } = context.clients;
      const asked = { source, charset, ...settings };
      if (dryRun) {
        const preview = await contacts.previewImport({ import: asked }, rpcOptions(context, request));
        return respond(context, reply, { data: importPreviewView(preview) });
      }
      const { import: queued } = await contacts.createImport(asked, rpcOptions(context, request));
      const data = importView(given(queued));
      return respond(context, accepted(reply, `/contacts/imports/${data.id}`), { data });
    },
  );
}
