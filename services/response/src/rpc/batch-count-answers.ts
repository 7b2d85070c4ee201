import type { MessageInitShape } from "@bufbuild/protobuf";
import { mapInSlices } from "@canvass/fairness";
import type { BatchCountAnswersRequest, BatchCountAnswersResponseSchema } from "@canvass/proto/response";
import { countEntries, questionTypeOf } from "@canvass/questions";
import type { ResponseContext } from "../context.ts";
import { readAnswerCounts } from "../storage/results/answer-counts.ts";

export async function batchCountAnswers(
  { database }: ResponseContext,
  { surveys }: BatchCountAnswersRequest,
): Promise<MessageInitShape<typeof BatchCountAnswersResponseSchema>> {
  const counted = [];
  // Sequential, because each query takes a connection.
  for (const { workspaceId, surveyId, questionIds } of surveys) {
    const counts = await readAnswerCounts(database.sql, workspaceId, surveyId, questionIds);
    const questions = await mapInSlices(counts, ({ type, entries, responses, ...question }) => {
      const byEntry = countEntries(questionTypeOf({ type }), responses, entries);
      const named = [...byEntry].map(([id, count]) => [id, BigInt(count)]);
      return { ...question, responses: BigInt(responses), entries: Object.fromEntries(named) };
    });
    counted.push({ questions });
  }
  return { surveys: counted };
}
