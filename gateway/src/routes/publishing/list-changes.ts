import { changeClasses, draftChangeSchema } from "@canvass/questions";
import type { ChangeSummary } from "@canvass/proto/survey-drafts";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond, StreamedData } from "../../plugins/responses/envelope.ts";
import { readerSignal } from "../../plugins/responses/reader-signal.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope, named, nullable, words } from "../schemas.ts";
import { changesText } from "./changes-text.ts";
import { surveyParams } from "./publishing-params.ts";

const changesSchema = named("DraftChanges", {
  baseVersion: nullable<number>("integer", { description: "number of the published version; null: none" }),
  class: words(changeClasses, { description: "the worst of the changes" }),
  changesId: Type.String({ description: "identifies exactly these changes: in `acknowledge` it accepts all of them" }),
  changes: Type.Array(draftChangeSchema),
});

export function registerListChangesRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/publish/changes",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listChanges",
        tags: ["Publishing"],
        summary: "List what publishing would change",
        description:
          "Changes that affect results must be acknowledged when publishing. Breaking changes are refused: add a new question instead.",
        params: surveyParams,
        response: { 200: envelope("The changes with the answers that they concern", changesSchema) },
      },
    },
    async (request, reply) => {
      const options = { ...rpcOptions(context, request), signal: readerSignal(reply) };
      const chunks = context.clients.surveys.streamChanges(request.params, options)[Symbol.asyncIterator]();
      const first = await chunks.next();
      const summary = requireMessage<ChangeSummary>(first.done ? undefined : first.value.summary);
      const { baseVersion, class: worst, changesId } = summary;
      const head = { baseVersion: baseVersion || null, class: worst, changesId };
      return respond(context, reply, { data: new StreamedData(changesText(head, chunks)) });
    },
  );
}
