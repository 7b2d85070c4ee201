import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { SerializerBuilder } from "../src/app.ts";

const compilerOf = SerializerSelector();
/** Keyed by everything that determines the result. */
const kept = new Map<string, ReturnType<ReturnType<SerializerBuilder>>>();

/** Compiles as Fastify does, but each schema only once per test worker, which starts hundreds of gateways. */
export const cachedSerializers: SerializerBuilder = (externalSchemas, options) => {
  const compile = compilerOf(externalSchemas, options);
  const shared = JSON.stringify([externalSchemas, options]);
  return (route) => {
    const key = shared + JSON.stringify(route.schema);
    const serializer = kept.get(key) ?? compile(route);
    kept.set(key, serializer);
    return serializer;
  };
};
