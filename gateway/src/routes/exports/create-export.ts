import { exportBody } from "@canvass/questions";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { accepted } from "../location.ts";
import { surveyParams } from "../responses/response-params.ts";
import { envelope, withExamples } from "../schemas.ts";
import { exportSchema, exportView } from "./export-view.ts";

const body = withExamples(exportBody, {
  spreadsheet: { summary: "For a spreadsheet", value: { format: "xlsx" } },
  excel: { summary: "A csv file for Excel", value: { format: "csv", bom: true } },
  statistics: { summary: "For SPSS, including unfinished respondents", value: { format: "sav", includePartial: true } },
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
    summary: "Only respondents of a version who answered a question",
    value: { format: "csv", versionNumber: 1, where: { elementId: "01h8x3k9q2w7d1ej", operator: "answered" } },
  },
  people: {
    summary: "With data of contacts",
    value: { format: "xlsx", contactFields: ["firstName", "lastName", "email", "attributes.department"] },
  },
});

const description = `A file with a row per respondent and a column, or a group of columns, per question, merged over all versions:
the questions of the newest version first, then those that were removed. A question on a page that repeats has its columns
once per item. A heading is the question's text, with \`labels: "ids"\` its id, with \`both\` "text [id]"; equal texts get
their ids. With \`headings: "names"\` it is the name of the question and, for a part, \`_\` and the code or id of its entry; a question
without a name gets one made of its id. Columns of \`sav\` and \`parquet\` always have such names. Files for SPSS have codes with value labels, and multiple response sets. If several entries can be chosen, each has a
column: 1 chosen, 0 not chosen, empty if nothing was answered. JSON has one member per question instead, with lists and objects.
Dates and times are cells of that kind in \`xlsx\`, \`sav\` and \`parquet\`.

\`from\` and \`to\` select by the time at which a respondent started. The export has the answers that are current when it reads them. Answers
to questions that were off the respondent's path at completion are left out, unless \`includeOffPath\` is true. \`distributorIds\`, \`versionNumber\` and \`where\`
select respondents like the filters of results; \`where\` is a condition on answers, hidden fields and language. In \`csv\`, cells
that a spreadsheet would run as a formula start with an apostrophe, unless \`escapeFormulas\` is false.

\`fields\` lists the hidden fields that get a column; by default all, including those that were removed from the survey.

\`contactFields\` adds fields of the respondents' contacts, as they are when the export reads them. Each is a text column before the
questions, such as \`contact.email\` or \`contact.attributes.department\`; empty if there is no contact or no value. Creating and downloading
such an export also needs the scope \`contacts:read\`, and the survey must not be anonymous.

\`includeOrder\` adds a column for each list, page and loop that is shuffled: its entries in the order that the respondent saw, written according to
\`labels\`; empty if the respondent started before orders were stored, or did not see the list.

\`warnings\` lists what the format cannot represent: SPSS limits texts to 32,767 bytes, and to less if a few long ones would make the file
many times larger; Excel limits them to 32,767 characters. SPSS files use the codes of a list's choices if all of them are whole numbers, and otherwise
numbers that are the same in every export of the survey. Excel reads a \`csv\` as UTF-8 if \`bom\` is true.

The export runs in the background: poll \`GET /exports/{exportId}\` until its \`status\` is \`completed\`. A workspace has at most eleven
unfinished exports (429 beyond), of which one small and one large run at once; the plan limits the total size of files. The file is deleted after 24 hours, or when answers of the survey are erased.`;

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
      const data = exportView(requireMessage(queued));
      return respond(context, accepted(reply, `/exports/${data.id}`), { data });
    },
  );
}
