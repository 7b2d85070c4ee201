import { importQuestionnaireQuery, mostQuestionnaireBytes } from "@canvass/inputs";
import type { QuestionnaireItem } from "@canvass/proto/survey-documents";
import { Type } from "typebox";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { RenderedData, respond } from "../../plugins/responses/envelope.ts";
import { binary } from "../../plugins/responses/file.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope, named, shownAs, withExamples, words } from "../schemas.ts";
import { surveySchema, surveyView } from "../surveys/survey-view.ts";
import { octetStreamType, questionnaireTypes } from "./accept-questionnaire-bodies.ts";

const reportSchema = Type.Array(
  named("QuestionnaireItem", {
    source: Type.String({ description: "its place in the file", examples: ["survey row 5"] }),
    name: Type.String({ description: "its name in the file; may be empty", examples: ["total"] }),
    outcome: words(["imported", "changed", "left_out"]),
    reasons: Type.Array(Type.String({ examples: ["calculates; a formula is never run"] }), {
      description: "what changed, or why it was left out",
    }),
  }),
  { description: "each item of the file" },
);

const importedSchema = named("ImportedQuestionnaire", { survey: surveySchema, report: reportSchema });
const previewSchema = named("QuestionnairePreview", { document: shownAs("SurveyDocument"), report: reportSchema });

const description = `A file of another system, of at most ${mostQuestionnaireBytes / 1_048_576} MiB, also when it is decompressed: its bytes as \`${octetStreamType}\`, or as the type of the file. The new survey is a draft. The report lists for each item
whether it was imported, changed or left out, and why. Code and links in the file are not run or loaded. A file that does not match its \`format\` is 422, with the place in the file. With \`dryRun=true\` nothing is written: the response (200) has the document that would be imported.`;

const exampleFile = withExamples(Type.Unsafe<string>(binary), {
  surveyjs: {
    summary: "A survey of SurveyJS",
    value: '{"title":"Lunch","elements":[{"type":"rating","name":"overall","title":"How was it?"}]}',
  },
});

/** Creates a survey from a questionnaire of another system (contract 6.25). */
export function registerImportQuestionnaireRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/import/questionnaire",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        etag: true,
        otherBodyTypes: questionnaireTypes,
        errors: ["feature_locked", "quota_exceeded"],
      },
      schema: {
        operationId: "importQuestionnaire",
        tags: ["Surveys"],
        summary: "Create a survey from a questionnaire of another system",
        description,
        querystring: importQuestionnaireQuery,
        consumes: [octetStreamType],
        body: exampleFile,
        response: {
          200: envelope("What would be imported", previewSchema),
          201: envelope("The new survey, and the report", importedSchema),
        },
      },
    },
    async (request, reply) => {
      const { format, dryRun = false } = request.query;
      const { surveys } = context.clients;
      const asked = { file: { format, content: request.body as unknown as Uint8Array<ArrayBuffer> } };
      if (dryRun) {
        const { documentJson, items } = await surveys.previewQuestionnaire(asked, rpcOptions(context, request));
        const report = JSON.stringify(items.map(itemView));
        return respond(context, reply, { data: new RenderedData(`{"document":${documentJson},"report":${report}}`) });
      }
      const { survey: message, items } = await surveys.importQuestionnaire(asked, rpcOptions(context, request));
      const survey = requireMessage(message);
      created(reply, `/surveys/${survey.surveyId}`);
      return respond(context, reply, {
        data: { survey: surveyView(survey), report: items.map(itemView) },
        etag: survey.etag,
      });
    },
  );
}

const itemView = ({ source, name, outcome, reasons }: QuestionnaireItem) => ({ source, name, outcome, reasons });
