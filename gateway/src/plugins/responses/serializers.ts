import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifyServerOptions } from "fastify";

type SerializerBuilder = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>["buildSerializer"]
>;

const compilerOf = SerializerSelector();
/** Keyed by everything that determines the result. */
const kept = new Map<string, ReturnType<ReturnType<SerializerBuilder>>>();

/** Compiles as Fastify does, but equal schemas only once: a GET and its HEAD, and routes with the same response. */
export const buildSerializer: SerializerBuilder = (externalSchemas, options) => {
  const compile = compilerOf(externalSchemas, options);
  const shared = JSON.stringify([externalSchemas, options]);
  return (route) => {
    const key = shared + JSON.stringify(route.schema);
    const serializer = kept.get(key) ?? compile(route);
    kept.set(key, serializer);
    return serializer;
  };
};
