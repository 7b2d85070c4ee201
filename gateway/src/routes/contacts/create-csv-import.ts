import { importQuery, mostCsvBytes } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { csvType } from "../../plugins/body/accept-csv-bodies.ts";
import type { Api } from "../api.ts";
import { withExamples } from "../schemas.ts";
import { importAbout, importResponse, respondWithImport } from "./respond-with-import.ts";

const body = withExamples(Type.String(), {
  people: {
    summary: "Two people",
    value: "email,firstName,lastName,plan\ngrace@example.org,Grace,Hopper,pro\nalan@example.org,Alan,Turing,\n",
  },
});

const description = `A file of at most ${mostCsvBytes / 1_048_576} MiB, also when it is decompressed, and at most 10,000 rows. The first line has the headings: names of fields in
any spelling (\`E-Mail\`, \`first_name\`); other headings become attributes. Columns are separated by commas, semicolons or tabs. A byte
order mark tells the encoding (UTF-8 or UTF-16), else the \`charset\` of \`Content-Type\`; without both it is UTF-8, or Windows-1252 if no line is
UTF-8 beyond ASCII. Empty cells change nothing. ${importAbout}`;

/** Imports a file of contacts (contract 11.6). */
export function registerCreateCsvImportRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/contacts/imports/csv",
    {
      config: { scope: "contacts:write", idempotent: true },
      schema: {
        operationId: "createContactCsvImport",
        tags: ["Contacts"],
        summary: "Import a CSV file of contacts",
        description,
        querystring: importQuery,
        consumes: [csvType],
        body,
        response: importResponse,
      },
    },
    (_request, reply) => respondWithImport(context, reply),
  );
}
