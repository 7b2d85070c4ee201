import { startLinkRespondentBody } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { passwordGuesses } from "../../plugins/rate-limits/password-guesses.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { createdByLink } from "../location.ts";
import { dateTime, envelope, id, named, withExamples } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { fieldValues, orderSeed } from "../responses/respondent-view.ts";
import { definitionSchema } from "./definition-schema.ts";
import { linkParams, publicErrors } from "./public-params.ts";

const body = withExamples(startLinkRespondentBody, {
  inEnglish: { summary: "In a language of the survey", value: { language: "en" } },
  withPassword: { summary: "Where the link or the survey asks for a password", value: { password: "sesame" } },
});

const startedSchema = named("StartedLinkRespondent", {
  respondentId: id,
  sessionToken: Type.String({ description: "proves the respondent in later calls, as `X-Respondent-Token`" }),
  startedAt: dateTime,
  orderSeed,
  fields: fieldValues,
  ignored: Type.Integer({ description: "how many of the given `fields` were not kept" }),
  definition: definitionSchema,
});

export function registerStartLinkRespondentRoute(api: Api, context: GatewayContext): void {
  const guessing = passwordGuesses(context);
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
        summary: "Start a respondent that opened a link",
        description:
          "It stays on the version that is published now. Of a single-use link the first start counts; a personal link goes on as " +
          "the same respondent until that has completed (with anonymity, the first start counts). A password that is missing or " +
          "wrong is 422 on `password`.",
        params: linkParams,
        body,
        response: { 201: envelope("The respondent, and what it answers", startedSchema) },
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
      const started = await (isGuess ? guessing(request, reply, start) : start());
      const { respondent, sessionToken, versionId, workspaceId, replay, ignored } = started;
      request.replay = replay ?? null;
      request.begunSession = sessionToken;
      const { respondentId, surveyId, startedAt, language, orderSeed: seed, fieldsJson } = given(respondent);
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
