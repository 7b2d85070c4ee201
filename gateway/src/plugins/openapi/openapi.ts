import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { apiVersion } from "../responses/envelope.ts";
import { headers } from "./response-headers.ts";
import { sharedResponses } from "./complete-responses.ts";
import { errorExamples } from "./error-schemas.ts";
import { headerParameters } from "./header-parameters.ts";
import { introduction } from "./introduction.ts";
import { completeDocument, type Document } from "./complete-document.ts";
import { operationSchema } from "./operation-schema.ts";

export const apiPrefix = "/api/v1";
/** The prefix of operations for respondents of links. */
export const publicPrefix = "/public/v1";

type Config = Pick<GatewayContext["config"], "CANVASS_PUBLIC_URL">;

const rootUrl = (config: Config): string => config.CANVASS_PUBLIC_URL.replace(/\/$/, "");

export const apiUrl = (config: Config): string => rootUrl(config) + apiPrefix;

const tags = [
  { name: "Tokens", description: "API tokens and their scopes" },
  { name: "Surveys", description: "Surveys, their pages and questions, and publication" },
  { name: "Elements", description: "Reading, editing and removing single questions" },
  { name: "Translations", description: "Surveys in other languages" },
  { name: "Publishing", description: "Drafts, their backups, publication and versions" },
  { name: "Responses", description: "Respondents, their answers and the results" },
  { name: "Distribution", description: "Links and other ways to invite respondents" },
  { name: "Public", description: "For respondents who came by links, without a token" },
  { name: "Exports", description: "Answers as files" },
  { name: "Contacts", description: "Contacts of a workspace, and their imports" },
  { name: "Events", description: "Subscriptions to events, deliveries and the event feed" },
  { name: "Webhooks", description: "Requests that the platform sends to your server" },
  { name: "Audit log", description: "Changes in the workspace: by whom, when and from where" },
  { name: "Service", description: "The service itself" },
];

/** `shown`: the schemas that others name in `x-shown-as`. The document shows them in place of those. */
export async function registerOpenapi(
  app: FastifyInstance,
  { config }: GatewayContext,
  shown: readonly object[],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Canvass",
        version: apiVersion,
        description: introduction,
        contact: { name: "The operator of this installation", url: `${rootUrl(config)}/docs/` },
        license: { name: "As agreed with the operator of this installation", url: `${rootUrl(config)}/docs/` },
      },
      servers: [{ url: rootUrl(config), description: "This installation" }],
      security: [{ bearer: [] }],
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A token of `POST /tokens`." } },
        examples: errorExamples(),
        headers: headers as never,
        parameters: headerParameters as never,
        responses: sharedResponses as never,
      },
      tags,
    },
    transform: ({ schema, url, route }) => ({
      schema: operationSchema({
        schema: schema ?? { hide: true },
        config: route.config ?? {},
        method: String(route.method),
      }) as typeof schema,
      url,
    }),
    transformObject: (made) => completeDocument(made as unknown as { openapiObject: Document }, shown),
  });
}
