import type { MessageInitShape } from "@bufbuild/protobuf";
import type { StreamChangesRequest, StreamChangesResponseSchema } from "@canvass/proto/survey-drafts";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { changeChunks } from "./change-chunks.ts";
import {
  changesIdOf,
  changesOf,
  countAnswersByQuestion,
  questionIdsOfBoth,
  readFormerQuestions,
  worstClass,
} from "./draft-changes.ts";
import { readPublishedDefinition, readDraftSnapshot } from "./draft-snapshot.ts";

/** Streams the changes that publishing would make, with the number of answers that each affects now (contract 6.10). */
export async function* streamChanges(
  context: SurveyContext,
  { surveyId }: StreamChangesRequest,
  { caller: { workspaceId } }: Call,
): AsyncGenerator<MessageInitShape<typeof StreamChangesResponseSchema>> {
  const { survey, draft } = await readDraftSnapshot(context, { workspaceId, surveyId });
  const base = await readPublishedDefinition(context, survey);
  const counted = base ? questionIdsOfBoth(base, draft) : [];
  const answered = await countAnswersByQuestion(context, survey, counted);
  const former = await readFormerQuestions(context.database.sql, survey, base, draft);
  const changes = await changesOf(base, draft, former, answered);
  const [worst, changesId] = [worstClass(changes), changesIdOf(changes)];
  yield { summary: { baseVersion: survey.publishedVersion, class: worst, changesId } };
  yield* changeChunks(changes);
}
