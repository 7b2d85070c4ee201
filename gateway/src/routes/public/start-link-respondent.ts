import { startLinkRespondentBody } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { passwordGuessLimit } from "../../plugins/rate-limits/password-guess-limit.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { createdByLink } from "../location.ts";
import { dateTime, envelope, id, named, withExamples } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { fieldValues, orderSeed } from "../responses/respondent-view.ts";
import { definitionSchema } from "./definition-schema.ts";
import { linkParams, publicErrors } from "./public-params.ts";

const body = withExamples(startLinkRespondentBody, {
  inEnglish: { summary: "In a language of the survey", value: { language: "en" } },
  withPassword: { summary: "If the link or the survey has a password", value: { password: "sesame" } },
});

const startedSchema = named("StartedLinkRespondent", {
  respondentId: id,
  sessionToken: Type.String({ description: "authenticates the respondent in later calls, as `X-Respondent-Token`" }),
  startedAt: dateTime,
  orderSeed,
  fields: fieldValues,
  ignored: Type.Integer({ description: "number of the given `fields` that were not stored" }),
  definition: definitionSchema,
});

export function registerStartLinkRespondentRoute(api: Api, context: GatewayContext): void {
  const limitGuesses = passwordGuessLimit(context);
  api.post(
    "/links/:code/respondents",
    {
      config: {
        scope: "public",
        limit: "links",
        idempotent: true,
        bodyOptional: true,
        errors: [...publicErrors, "survey_not_collecting"],
      },
      schema: {
        operationId: "startLinkRespondent",
        tags: ["Public"],
        summary: "Start a response by a link",
        description:
          "The respondent stays on the version that is published now. A single-use link can be started once. A personal link continues as " +
          "the same respondent until it completes (with anonymity, it can be started once). A password that is missing or " +
          "wrong is 422 on `password`.",
        params: linkParams,
        body,
        response: { 201: envelope("The started respondent", startedSchema) },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      const start = () =>
        context.clients.linkResponses.startLinkRespondent(
          {
            code,
            bodyJson: request.bodyText ?? "{}",
            country: context.countryOf(request),
            ...(request.idempotency && { idempotency: request.idempotency }),
          },
          rpcOptions(context, request),
        );
      const isGuess = Object.hasOwn(request.body ?? {}, "password");
      const started = await (isGuess ? limitGuesses(request, reply, start) : start());
      const { respondent, sessionToken, versionId, workspaceId, replay, ignored } = started;
      request.replay = replay ?? null;
      request.begunSession = sessionToken;
      const { respondentId, surveyId, startedAt, language, orderSeed: seed, fieldsJson } = requireMessage(respondent);
      const fields = JSON.stringify({
        respondentId,
        sessionToken,
        startedAt: isoTime(startedAt),
        orderSeed: seed || null,
        ignored,
      });
      const own = `"fields":${fieldsJson || "{}"}`;
      const definition = await context.publicDefinition({ workspaceId, surveyId, versionId, language });
      createdByLink(reply, request.params.code, respondentId);
      return respond(context, reply, {
        data: new RenderedData(`${fields.slice(0, -1)},${own},"definition":${definition}}`),
      });
    },
  );
}
