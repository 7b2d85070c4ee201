import { respondentStatuses } from "@canvass/inputs";
import type { Answer, Respondent } from "@canvass/proto/response";
import { answerByType, answerValueSchema } from "@canvass/questions";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { respondentTokenOf } from "../../plugins/authentication/respondent-token.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { answerValue } from "../responses/answer-view.ts";
import { fullQuotaSchema, fullQuotaProperty } from "../responses/full-quota.ts";
import { envelope, id, named, nullableDateTime, nullableText, questionTypeName, words } from "../schemas.ts";
import { isoTimeOrNull } from "../../plugins/responses/timestamps.ts";
import { fieldValues, orderSeed } from "../responses/respondent-view.ts";
import { definitionSchema } from "./definition-schema.ts";
import { languageQuery, linkRespondentParams, publicErrors, seenDescription } from "./public-params.ts";

const ownAnswerFields = {
  elementId: id,
  itemId: { ...nullableText, description: "on a page that repeats: the choice that it repeats for" },
  type: questionTypeName,
  value: answerValue,
};
export const ownAnswerByTypeSchema = answerByType("OwnAnswer", (type) => ({
  ...ownAnswerFields,
  value: answerValueSchema(type),
}));

const stateSchema = named("LinkRespondent", {
  status: words(respondentStatuses),
  pageId: { ...nullableText, description: "the last page that was saved" },
  percentComplete: Type.Integer({ description: "percentage of the reachable questions that are answered, 0 to 100" }),
  language: nullableText,
  seenAt: { ...nullableDateTime, description: seenDescription },
  orderSeed,
  fields: fieldValues,
  answers: Type.Array(named("OwnAnswer", ownAnswerFields, { "x-shown-as": "OwnAnswer" })),
  quotaFull: fullQuotaSchema,
  definition: definitionSchema,
});

export function registerGetLinkRespondentRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/links/:code/respondents/:respondentId",
    {
      config: {
        scope: "public",
        limit: "respondents",
        respondentToken: true,
        errors: [...publicErrors, "respondent_not_found"],
      },
      schema: {
        operationId: "getLinkRespondent",
        tags: ["Public"],
        summary: "Get the state of your own response",
        description:
          "Returns what a page needs to continue after a reload: the current page and the answers. Texts are in the respondent's language unless another one is requested.",
        params: linkRespondentParams,
        querystring: languageQuery,
        response: { 200: envelope("The started respondent", stateSchema) },
      },
    },
    async (request, reply) => {
      const { language: wanted } = request.query;
      const asked = {
        ...request.params,
        sessionToken: respondentTokenOf(request),
        ...(wanted && { language: wanted }),
      };
      const found = await context.clients.linkResponses.getLinkRespondent(asked, rpcOptions(context, request));
      const { workspaceId, versionId, seenAt } = found;
      const respondent = requireMessage(found.respondent);
      const { surveyId } = respondent;
      const language = wanted ?? respondent.language;
      const definition = await context.publicDefinition({ workspaceId, surveyId, versionId, language });
      return respond(context, reply, {
        data: new RenderedData(
          stateText(respondent, { seenAt: isoTimeOrNull(seenAt), ...fullQuotaProperty(found.quotaFull) }, definition),
        ),
      });
    },
  );
}

function stateText(
  { status, pageId, percentComplete, language, orderSeed: seed, fieldsJson, answers }: Respondent,
  more: { seenAt: string | null; quotaFull?: object },
  definition: string,
): string {
  const fields = JSON.stringify({
    status,
    pageId: pageId || null,
    percentComplete,
    language: language || null,
    orderSeed: seed || null,
    ...more,
  });
  const own = `"fields":${fieldsJson || "{}"}`;
  return `${fields.slice(0, -1)},${own},"answers":[${answers.map(answerText).join(",")}],"definition":${definition}}`;
}

function answerText({ elementId, itemId, typeName, valueJson }: Answer): string {
  const fields = JSON.stringify({ elementId, itemId: itemId || null, type: typeName });
  return `${fields.slice(0, -1)},"value":${valueJson}}`;
}
