import { exportBody } from "@canvass/questions";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { accepted } from "../location.ts";
import { surveyParams } from "../responses/response-params.ts";
import { envelope, withExamples } from "../schemas.ts";
import { exportSchema, exportView } from "./export-view.ts";

const body = withExamples(exportBody, {
  spreadsheet: { summary: "For a spreadsheet", value: { format: "xlsx" } },
  excel: { summary: "A csv that Excel reads", value: { format: "csv", bom: true } },
  statistics: { summary: "For SPSS, unfinished ones too", value: { format: "sav", includePartial: true } },
  scripts: { summary: "For scripts", value: { format: "csv", headings: "names", escapeFormulas: false } },
  month: {
    summary: "A month, with labels and ids",
    value: {
      format: "csv",
      labels: "both",
      from: "2026-03-01T00:00:00Z",
      to: "2026-04-01T00:00:00Z",
      timeZone: "Europe/Berlin",
    },
  },
  selected: {
    summary: "Those who answered a question, of a version",
    value: { format: "csv", versionNumber: 1, where: { elementId: "01h8x3k9q2w7d1ej", operator: "answered" } },
  },
  people: {
    summary: "With who answered",
    value: { format: "xlsx", contactFields: ["firstName", "lastName", "email", "attributes.department"] },
  },
});

const description = `A file with a row for each respondent and a column, or a group of columns, for each question, all versions together:
the questions of the newest version first, then those that left the survey. A question on a page that repeats has its columns
once for each item. Headings are the question's text, with \`labels: "ids"\` its id, with \`both\` "text [id]"; equal ones carry
their ids. With \`headings: "names"\` they are names: the question's and, for a part, \`_\` and the code or id of its entry; without a
name, one made of the id. Columns of \`sav\` and \`parquet\` are always named so. Files for SPSS hold codes with value labels, and multiple response sets. Where several entries can be chosen each has a
column: 1 chosen, 0 not, empty where nothing was answered. JSON has one member for each question instead, with lists and objects.
Dates and times are cells of that kind in \`xlsx\`, \`sav\` and \`parquet\`.

\`from\` and \`to\` are about the moment a respondent started. Answers are those that stand when the export reads them; those to what was no
longer reached when their respondent completed are left out, unless \`includeOffPath\` is true. \`distributorIds\`, \`versionNumber\` and \`where\`
select respondents as filters of results do; \`where\` is a condition about their answers, hidden fields and language. In \`csv\` cells
that a spreadsheet would run as a formula begin with an apostrophe, unless \`escapeFormulas\` is false.

\`fields\` names the hidden fields that have a column; without it all have one, those that left the survey included.

\`contactFields\` adds what the contacts of respondents hold when the export reads them, each field in a column of texts of its own before the
questions, named \`contact.email\` or \`contact.attributes.department\`; empty where a respondent has no contact, or the contact nothing there. It and
the download of such a file need the scope \`contacts:read\`, too, and the survey must not be anonymous.

\`includeOrder\` adds a column for each list, page and loop that is shuffled: its entries in the order that the respondent saw, written as \`labels\` says; empty
where the respondent began before orders were stored, or was asked no such list.

What a format cannot hold is told in \`warnings\`: SPSS has texts of 32,767 bytes, and of less where a few long ones would make the file
many times larger; Excel cuts them at 32,767 characters. The codes of choices in SPSS files are those of their list where all of them are whole numbers, and otherwise
numbers that stay the same in every export of the survey. Excel takes a \`csv\` for UTF-8 when \`bom\` is true.

The export runs in the background: ask \`GET /exports/{exportId}\` until its \`status\` is \`completed\`. A workspace has eleven
unfinished (429 for more), of which one small and one large run at once, and its plan has room for so many bytes of files. The file stays for 24 hours, or until answers of the survey are erased.`;

export function registerCreateExportRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/exports/surveys/:surveyId",
    {
      config: {
        scope: "exports:write",
        idempotent: true,
        errors: ["survey_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "createExport",
        tags: ["Exports"],
        summary: "Export a survey's answers",
        description,
        params: surveyParams,
        body,
        response: { 202: envelope("The queued export", exportSchema) },
      },
    },
    async (request, reply) => {
      const wanted = { surveyId: request.params.surveyId, bodyJson: request.bodyText! };
      const { export: queued } = await context.clients.exports.createExport(wanted, rpcOptions(context, request));
      const data = exportView(given(queued));
      return respond(context, accepted(reply, `/exports/${data.id}`), { data });
    },
  );
}
