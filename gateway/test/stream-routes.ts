import type { StreamAggregationResponse } from "@canvass/proto/response";
import { Type } from "typebox";
import { respondWithFile, fileResponse, type ServedFile } from "../src/plugins/responses/file.ts";
import { respondWithRows, ndjsonResponse } from "../src/plugins/responses/ndjson.ts";
import type { GatewayContext } from "../src/context.ts";
import type { Api } from "../src/routes/api.ts";
import { named } from "../src/routes/schemas.ts";

const params = Type.Object({ surveyId: Type.String() });
const row = named("TestRow", { id: Type.String(), value: Type.String({ examples: ["4"] }) });

/** Routes that return the stream of `streamAggregation`: one as rows, one as a file. */
export const streamRoutes =
  (file: Partial<ServedFile> = {}) =>
  (api: Api, context: GatewayContext): void => {
    api.get(
      "/test/rows/:surveyId",
      {
        config: { scope: "responses:read", errors: ["survey_not_found"] },
        schema: {
          operationId: "listTestRows",
          summary: "List rows",
          tags: ["Responses"],
          params,
          response: ndjsonResponse("Rows", row),
        },
      },
      (request, reply) =>
        respondWithRows(context, reply, {
          open: (options) => context.clients.responses.streamAggregation(request.params, options),
          view: ({ questionStats }) =>
            questionStats.map((each) => ({ id: each.questionId, value: each.distributionJson })),
        }),
    );
    api.get(
      "/test/files/:surveyId",
      {
        config: { scope: "responses:read", etag: true, errors: ["survey_not_found"] },
        schema: {
          operationId: "getTestFile",
          summary: "Get a file",
          tags: ["Responses"],
          params,
          response: fileResponse("A file", "text/csv"),
        },
      },
      (request, reply) =>
        respondWithFile(context, reply, {
          name: "answers.csv",
          mediaType: "text/csv; charset=utf-8",
          open: (options) => bytesOf(context.clients.responses.streamAggregation(request.params, options)),
          ...file,
        }),
    );
  };

async function* bytesOf(chunks: AsyncIterable<StreamAggregationResponse>): AsyncGenerator<Uint8Array> {
  for await (const { questionStats } of chunks) {
    for (const { distributionJson } of questionStats) yield Buffer.from(distributionJson);
  }
}
