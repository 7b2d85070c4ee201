import { versionsQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { named } from "../schemas.ts";
import { surveyParams } from "./publishing-params.ts";
import { versionFields, versionView } from "./version-view.ts";

export function registerListVersionsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/versions",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listVersions",
        tags: ["Publishing"],
        summary: "List a survey's versions",
        description: "Each publication creates a version.",
        params: surveyParams,
        querystring: versionsQuery,
        response: { 200: cursorList("A page of versions, newest first", named("VersionSummary", versionFields)) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { limit, cursor = "" } = request.query;
      const page = await context.clients.surveys.listVersions(
        { surveyId, limit, cursor },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: page.versions.map(versionView), pagination: cursorPagination(page) });
    },
  );
}
