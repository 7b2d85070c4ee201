import type { FastifyContextConfig, FastifyInstance, FastifySchema } from "fastify";

/** An operation of the API, as its route declares it. */
export interface Operation {
  method: string;
  /** The template of the path, as `/api/v1/surveys/:surveyId`. */
  url: string;
  schema: FastifySchema;
  config: FastifyContextConfig;
}

/** Collects the operations of routes that are registered later, by their `operationId`. */
export function collectOperations(app: Pick<FastifyInstance, "addHook">): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  app.addHook("onRoute", ({ method, url, schema = {}, config = {} }) => {
    const { operationId } = schema;
    // Fastify adds a HEAD route for each GET route.
    if (operationId !== undefined && method !== "HEAD") {
      operations.set(operationId, { method: String(method), url, schema, config });
    }
  });
  return operations;
}
