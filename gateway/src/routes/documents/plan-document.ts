import type { DocumentPlan } from "@canvass/proto/survey-documents";
import { changeClasses, draftChangeSchema } from "@canvass/questions";
import { Type } from "typebox";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { yamlType } from "../../plugins/body/documents/accept-document-bodies.ts";
import { respond, StreamedData } from "../../plugins/responses/envelope.ts";
import { readerSignal } from "../../plugins/responses/reader-signal.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { changesText } from "../publishing/changes-text.ts";
import { issuesSchema, issueView } from "../publishing/issue-view.ts";
import { envelope, named, nullable, words } from "../schemas.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { documentedDocument, documentForm } from "./document-input.ts";

const planSchema = named("DocumentPlan", {
  writes: Type.Array(Type.String({ examples: ["name", "settings.display.theme", "pages"] }), {
    description: "paths at which the document differs from the survey; empty: none",
  }),
  issues: issuesSchema,
  baseVersion: nullable<number>("integer", { description: "number of the published version; null: none" }),
  class: words(changeClasses, { description: "the worst of the changes" }),
  changes: Type.Array(draftChangeSchema, { description: "what publishing would change then" }),
});

export function registerPlanDocumentRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/document/plan",
    {
      config: {
        scope: "surveys:read",
        etag: true,
        otherBodyTypes: [yamlType],
        errors: ["survey_not_found", "feature_locked", "quota_exceeded", "malformed_yaml"],
      },
      schema: {
        operationId: "planSurveyDocument",
        tags: ["Surveys"],
        summary: "Preview what a document would change in a survey",
        description: `${documentForm} Writes nothing. Shows what replacing the survey with the document would write, and what publishing would then change, with the affected answers. The ETag is that of the survey: send it with the replacement to write exactly that.`,
        params: surveyParams,
        body: documentedDocument,
        response: { 200: envelope("What would change", planSchema) },
      },
    },
    async (request, reply) => {
      const planned = { surveyId: request.params.surveyId, bodyJson: request.documentJson };
      const options = { ...rpcOptions(context, request), signal: readerSignal(reply) };
      const chunks = context.clients.surveys.streamDocumentPlan(planned, options)[Symbol.asyncIterator]();
      const first = await chunks.next();
      const plan = requireMessage<DocumentPlan>(first.done ? undefined : first.value.plan);
      const { writes, issues, baseVersion, class: worst, etag } = plan;
      const head = { writes, issues: issues.map(issueView), baseVersion: baseVersion || null, class: worst };
      return respond(context, reply, { data: new StreamedData(changesText(head, chunks)), etag });
    },
  );
}
