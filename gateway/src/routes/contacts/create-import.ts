import { createImportBody, importQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { csvType } from "../../plugins/body/accept-csv-bodies.ts";
import type { Api } from "../api.ts";
import { withExamples } from "../schemas.ts";
import { importAbout, importResponse, respondWithImport } from "./respond-with-import.ts";

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

const description = `Imports rows of JSON, at most 1 MiB and 10,000 rows; \`createContactCsvImport\` takes a CSV file. ${importAbout}`;

/** Imports contacts (contract 11.6). Also accepts a CSV file, which the document shows as a separate operation. */
export function registerCreateImportRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/contacts/imports",
    {
      config: { scope: "contacts:write", idempotent: true, otherBodyTypes: [csvType] },
      schema: {
        operationId: "createContactImport",
        tags: ["Contacts"],
        summary: "Import contacts",
        description,
        querystring: importQuery,
        body,
        response: importResponse,
      },
    },
    (_request, reply) => respondWithImport(context, reply),
  );
}
