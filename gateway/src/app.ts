import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { GatewayContext } from "./context.ts";
import { createKnownPaths } from "./plugins/known-routes/known-paths.ts";
import { registerBodyParsers, maxBodyBytes } from "./plugins/body/body-parsing.ts";
import { registerCrossOrigin } from "./plugins/cross-origin.ts";
import { registerDocsPages } from "./plugins/docs/docs-pages.ts";
import { clientErrorHandler, tunnelRefuser } from "./plugins/errors/client-error.ts";
import { registerErrorHandlers, sendError } from "./plugins/errors/errors.ts";
import { connectionRefuser } from "./plugins/errors/refuse-connection.ts";
import { refuseUnknownRoutes } from "./plugins/known-routes/refuse-unknown-routes.ts";
import { apiPrefix, apiUrl, publicPrefix, registerOpenapi } from "./plugins/openapi/openapi.ts";
import {
  createResponsePreparer,
  registerConnectionHooks,
  requestIdOf,
} from "./plugins/connection-hooks/connection-hooks.ts";
import { registerMcp } from "./plugins/mcp/mcp.ts";
import { collectOperations } from "./plugins/mcp/operations.ts";
import { guessLimit } from "./plugins/rate-limits/guess-limit.ts";
import { rateLimitGuards } from "./plugins/rate-limits/rate-limit-guard.ts";
import { lingerAfterRefusals } from "./plugins/body/refused-uploads.ts";
import { requestLineWriter } from "./plugins/request-log/request-lines.ts";
import { registerRequestLog } from "./plugins/request-log/request-log.ts";
import { registerRouteGuards } from "./plugins/guards/route-guards.ts";
import { limitUnreadResponses } from "./plugins/responses/limit-unread-responses.ts";
import { buildSerializer } from "./plugins/responses/serializers.ts";
import { declareRequestState } from "./plugins/request-state.ts";
import { traceRequests } from "./plugins/tracing/trace-requests.ts";
import type { Api } from "./routes/api.ts";
import { registerListAuditLogRoute } from "./routes/audit-log/list-audit-log.ts";
import { registerDistributionRoutes } from "./routes/distribution/distribution-routes.ts";
import { registerContactRoutes } from "./routes/contacts/contact-routes.ts";
import { registerTranslationRoutes } from "./routes/translations/translation-routes.ts";
import { registerDocumentRoutes } from "./routes/documents/document-routes.ts";
import { registerElementRoutes } from "./routes/elements/element-routes.ts";
import { registerSubscriptionRoutes } from "./routes/event-subscriptions/subscription-routes.ts";
import { registerExplainEventRoute } from "./routes/events/explain-event.ts";
import { registerListEventsRoute } from "./routes/events/list-events.ts";
import { registerExportRoutes } from "./routes/exports/export-routes.ts";
import { registerFileRoutes } from "./routes/files/file-routes.ts";
import { registerMultipleChoiceRoutes } from "./routes/multiple-choice/multiple-choice-routes.ts";
import { registerNpsRoutes } from "./routes/nps/nps-routes.ts";
import { registerLinkPageRoutes } from "./routes/public/link-page-routes.ts";
import { registerPublicRoutes } from "./routes/public/public-routes.ts";
import { registerRatingRoutes } from "./routes/rating/rating-routes.ts";
import { registerResponseRoutes } from "./routes/responses/response-routes.ts";
import { registerServiceRoutes } from "./routes/service/service-routes.ts";
import { registerPublishingRoutes } from "./routes/publishing/publishing-routes.ts";
import { registerSurveyRoutes } from "./routes/surveys/survey-routes.ts";
import { registerTokenRoutes } from "./routes/tokens/token-routes.ts";
import { proxyMatcher } from "./client-address/trusted-proxies.ts";
import { shownSchemas } from "./routes/shown-schemas.ts";

/** Time limits of a connection, in milliseconds. They protect against slow clients. */
export interface ConnectionTimes {
  headersMs: number;
  requestMs: number;
  /** Without traffic in either direction, on top of a request's deadline. */
  unresponsiveMs: number;
  /** For receiving the rest of a refused body. */
  lingerMs: number;
  checkMs: number;
}

export interface AppOverrides {
  connectionTimes?: ConnectionTimes;
  routes?: (api: Api, context: GatewayContext) => void;
}

/** Read and discarded after a refusal, so that the sender gets the response. */
const lingerBytes = 16 * maxBodyBytes;

const usualTimes: ConnectionTimes = {
  headersMs: 15_000,
  requestMs: 30_000,
  unresponsiveMs: 50_000,
  lingerMs: 10_000,
  checkMs: 5_000,
};

/** Builds the HTTP application. Plugins come first, so that the routes inherit their hooks. */
export async function buildApp(
  context: GatewayContext,
  { connectionTimes: times = usualTimes, routes: moreRoutes = () => undefined }: AppOverrides = {},
): Promise<FastifyInstance> {
  const { config, now } = context;
  const knownPaths = createKnownPaths();
  const writeLine = requestLineWriter(context);
  const linger = { lingerMs: times.lingerMs, lingerBytes };
  const refuseConnection = connectionRefuser(config.CANVASS_PUBLIC_URL, now, linger, writeLine);
  const limitGuard = rateLimitGuards(context);
  const guesses = guessLimit(context);
  const app = fastify({
    ...serverOptions(context, times),
    schemaController: { compilersFactory: { buildSerializer } },
    clientErrorHandler: clientErrorHandler(refuseConnection, knownPaths),
  });
  declareRequestState(app);
  registerErrorHandlers(app, context);
  registerConnectionHooks(app, context);
  traceRequests(app);
  limitUnreadResponses(app, context);
  lingerAfterRefusals(app, linger);
  await registerCrossOrigin(app, context, guesses);
  refuseUnknownRoutes(app, knownPaths);
  registerBodyParsers(app);
  registerRequestLog(app, context, writeLine);
  await registerOpenapi(app, context, shownSchemas);
  await registerDocsPages(app, limitGuard("documents", false), apiUrl(config));
  const operations = collectOperations(app);
  await app.register(
    async (api: Api) => {
      registerRouteGuards(api, context, limitGuard);
      registerTokenRoutes(api, context);
      registerListAuditLogRoute(api, context);
      registerSurveyRoutes(api, context);
      registerDocumentRoutes(api, context);
      registerTranslationRoutes(api, context);
      registerElementRoutes(api, context);
      registerMultipleChoiceRoutes(api, context);
      registerNpsRoutes(api, context);
      registerRatingRoutes(api, context);
      registerPublishingRoutes(api, context);
      registerResponseRoutes(api, context);
      registerExportRoutes(api, context);
      registerFileRoutes(api, context);
      registerDistributionRoutes(api, context);
      registerContactRoutes(api, context);
      registerSubscriptionRoutes(api, context);
      registerListEventsRoute(api, context);
      registerExplainEventRoute(api, context);
      registerServiceRoutes(api, context);
      moreRoutes(api, context);
    },
    { prefix: apiPrefix },
  );
  await app.register(
    async (api: Api) => {
      guesses.addHooks(api);
      registerRouteGuards(api, context, limitGuard);
      registerPublicRoutes(api, context);
    },
    { prefix: publicPrefix },
  );
  await app.register(async (pages: FastifyInstance) => {
    guesses.addHooks(pages);
    registerLinkPageRoutes(pages, context, limitGuard("links", false));
  });
  await app.register(async (tools: FastifyInstance) => {
    registerRouteGuards(tools, context, limitGuard);
    registerMcp(tools, context, operations);
  });
  await app.ready();
  // Ignores unknown expectations (RFC 9110, 10.1.1). Node would respond 417 without an envelope.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.server.on("connect", tunnelRefuser(refuseConnection, knownPaths));
  // A client that half-closes after its requests still gets the responses (contract 2.11). Node has no option for this.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  return app;
}

function serverOptions(context: GatewayContext, times: ConnectionTimes) {
  const { config } = context;
  const prepare = createResponsePreparer(config.CANVASS_PUBLIC_URL);
  return {
    logger: false,
    bodyLimit: maxBodyBytes,
    genReqId: requestIdOf,
    trustProxy: config.CANVASS_TRUSTED_PROXIES ? proxyMatcher(config.CANVASS_TRUSTED_PROXIES) : false,
    // While draining, open connections still get ordinary responses.
    return503OnClosing: false,
    requestTimeout: times.requestMs,
    // The deadline of a request plus time for reading the response.
    connectionTimeout: config.CANVASS_REQUEST_TIMEOUT_MS + times.unresponsiveMs,
    keepAliveTimeout: 72_000,
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: times.headersMs,
      connectionsCheckingInterval: times.checkMs,
      // Joins repeated headers into a malformed value. Otherwise Node would pick one of them.
      joinDuplicateHeaders: true,
      // `registerConnectionHooks` refuses a missing Host header with an envelope.
      requireHostHeader: false,
    },
    // The edge checks refuse malformed ids with an envelope.
    routerOptions: { maxParamLength: 16_384 },
    // A path that cannot be decoded fails before any hook runs.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      prepare(request, reply, () => sendError(context, error, request, reply));
    },
  };
}
