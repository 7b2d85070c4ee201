import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { GatewayContext } from "./context.ts";
import { bodyParsing, maxBodyBytes } from "./plugins/body.ts";
import { crossOrigin } from "./plugins/cross-origin.ts";
import { docsPage } from "./plugins/docs-page.ts";
import { clientErrorHandler } from "./plugins/errors/client-error.ts";
import { errors, sendError } from "./plugins/errors/errors.ts";
import { knownRoutes } from "./plugins/known-routes.ts";
import { apiPrefix, openapi } from "./plugins/openapi/openapi.ts";
import { answerBeginner, preamble, requestIdOf } from "./plugins/preamble.ts";
import { requestLog } from "./plugins/request-log.ts";
import { routeGuards } from "./plugins/route-guards.ts";
import { declareRequestState } from "./request-state.ts";
import type { Api } from "./routes/api.ts";
import { listAuditLog } from "./routes/audit-log/list-audit-log.ts";
import { subscriptionRoutes } from "./routes/event-subscriptions/subscription-routes.ts";
import { listEvents } from "./routes/events/list-events.ts";
import { responseRoutes } from "./routes/responses/response-routes.ts";
import { serviceRoutes } from "./routes/service/service-routes.ts";
import { surveyRoutes } from "./routes/surveys/survey-routes.ts";
import { tokenRoutes } from "./routes/tokens/token-routes.ts";

/** How long a sender may take, in milliseconds: slow ones must not hold connections. */
export interface ArrivalTimes {
  headersMs: number;
  requestMs: number;
  /** Between two looks at who is late. */
  checkMs: number;
}

const usualTimes: ArrivalTimes = { headersMs: 15_000, requestMs: 30_000, checkMs: 5_000 };

/** Puts the HTTP application together: what crosses all routes, then the routes. */
export async function buildApp(context: GatewayContext, times = usualTimes): Promise<FastifyInstance> {
  const app = fastify(serverOptions(context, times));
  declareRequestState(app);
  errors(app, context);
  preamble(app, context);
  await crossOrigin(app, context);
  knownRoutes(app);
  bodyParsing(app);
  requestLog(app, context);
  await openapi(app, context);
  await docsPage(app);
  await app.register(
    async (api: Api) => {
      routeGuards(api, context);
      tokenRoutes(api, context);
      listAuditLog(api, context);
      surveyRoutes(api, context);
      responseRoutes(api, context);
      subscriptionRoutes(api, context);
      listEvents(api, context);
      serviceRoutes(api, context);
    },
    { prefix: apiPrefix },
  );
  await app.ready();
  // An expectation nobody has heard of is ignored, which RFC 9110 (10.1.1) allows, instead of a 417 without envelope.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  return app;
}

function serverOptions(context: GatewayContext, times: ArrivalTimes) {
  const { config, now } = context;
  const begin = answerBeginner(config.CANVASS_PUBLIC_URL);
  const proxies = config.CANVASS_TRUSTED_PROXIES?.split(",").map((address) => address.trim());
  return {
    logger: false,
    bodyLimit: maxBodyBytes,
    genReqId: requestIdOf,
    trustProxy: proxies ?? false,
    // While draining, requests on open connections are still answered, and in the usual form.
    return503OnClosing: false,
    requestTimeout: times.requestMs,
    keepAliveTimeout: 72_000,
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: times.headersMs,
      connectionsCheckingInterval: times.checkMs,
      // A header that is said twice becomes one that is wrong, instead of whichever Node prefers.
      joinDuplicateHeaders: true,
      // The preamble refuses what has no host, with an envelope.
      requireHostHeader: false,
    },
    // What an id may look like is judged where its absence is answered.
    routerOptions: { maxParamLength: 16_384 },
    // An address that cannot be decoded fails before any hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      begin(request, reply);
      sendError(context, error, request, reply);
    },
    clientErrorHandler: clientErrorHandler(config.CANVASS_PUBLIC_URL, now),
  };
}
