import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { apiVersion } from "../responses/envelope.ts";
import { headers } from "./response-headers.ts";
import { errorExamples } from "./error-examples.ts";
import { eventWebhooks } from "./event-webhooks.ts";
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
  { name: "Elements", description: "Single questions: reading, editing and removing them" },
  { name: "Publishing", description: "Drafts with their backups, publication, and versions" },
  { name: "Responses", description: "Respondents, their answers and the results" },
  { name: "Distribution", description: "Links by which surveys reach people" },
  { name: "Public", description: "Respondents that came by links, without a token; at the public address itself" },
  { name: "Exports", description: "Answers as files" },
  { name: "Contacts", description: "The people a workspace knows, and imports of them" },
  { name: "Events", description: "Webhooks and the event feed" },
  { name: "Audit log", description: "Who changed what, when and from where" },
  { name: "Service", description: "The service itself" },
];

export async function openapi(app: FastifyInstance, { config }: GatewayContext): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Canvass",
        version: apiVersion,
        description: introduction,
      },
      servers: [{ url: apiUrl(config) }],
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A token of `POST /tokens`." } },
        examples: errorExamples(),
        headers: headers as never,
      },
      tags,
      ...({ webhooks: eventWebhooks } as object),
    },
    transform: ({ schema, url, route }) => ({
      schema: operationSchema({
        schema: schema ?? { hide: true },
        config: route.config ?? {},
        method: String(route.method),
      }) as typeof schema,
      url: url.replace(apiPrefix, ""),
    }),
    transformObject: (made) => {
      const document = completeDocument(made as { openapiObject: Document });
      placePublic(document, rootUrl(config));
      return document;
    },
  });
}

/** Public operations are not below the API's prefix. */
function placePublic({ paths }: Document, url: string): void {
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.startsWith(publicPrefix)) continue;
    for (const operation of Object.values(operations)) operation.servers = [{ url }];
  }
}
