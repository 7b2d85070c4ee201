import { answerOwner } from "@canvass/fairness/threads";
import scalar, { type FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { fastify } from "fastify";
import type { RenderedReference } from "./render-reference.ts";

answerOwner(async (options: FastifyApiReferenceOptions): Promise<RenderedReference> => {
  const app = fastify();
  await app.register(scalar, options);
  const read = (path: string) => app.inject(`${options.routePrefix}${path}`);
  const [page, script] = await Promise.all([read("/"), read("/js/scalar.js")]);
  return { page: page.payload, script: script.rawPayload };
});
