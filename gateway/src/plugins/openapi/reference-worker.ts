import scalar, { type FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { fastify } from "fastify";
import { parentPort, workerData } from "node:worker_threads";
import type { RenderedReference } from "./render-reference.ts";

const options = workerData as FastifyApiReferenceOptions;
const app = fastify();
await app.register(scalar, options);
const read = (path: string) => app.inject(`${options.routePrefix}${path}`);
const [page, script] = await Promise.all([read("/"), read("/js/scalar.js")]);
const rendered: RenderedReference = { page: page.payload, script: script.rawPayload };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
parentPort!.postMessage(rendered);
