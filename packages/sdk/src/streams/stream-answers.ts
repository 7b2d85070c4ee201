import type { AnswerRow } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { RequestOptions } from "../options.ts";
import { readRows } from "./read-rows.ts";
import { resume } from "./resume.ts";

export interface StreamOptions extends RequestOptions {
  /** The `cursor` of the last row that you have; the stream begins after that row. Default: from the first answer. */
  cursor?: string;
}

/** Streams answers as rows (contract 7.9). Where the stream is cut, opens it again after the last row. */
export async function* streamAnswers(
  { client, retries, sending }: Connection,
  surveyId: string,
  filters: object,
  { cursor, ...options }: StreamOptions,
): AsyncGenerator<AnswerRow, void, undefined> {
  let after = cursor;
  const open = async () => {
    const { response } = await client.get({
      url: "/api/v1/response/surveys/{surveyId}/stream",
      security: [{ scheme: "bearer", type: "http" }],
      path: { surveyId },
      query: { ...filters, cursor: after },
      parseAs: "stream",
      ...sending(options),
    });
    return readRows<AnswerRow>(response!, options.signal);
  };
  for await (const row of resume(open, { retries, signal: options.signal })) {
    after = row.cursor;
    yield row;
  }
}
