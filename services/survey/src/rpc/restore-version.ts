import type { MessageInitShape } from "@bufbuild/protobuf";
import { RestoreVersionResponseSchema, type RestoreVersionRequest } from "@canvass/proto/survey-versions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { restoreDraft } from "./restore-draft.ts";

/** Replaces the draft by the content of a version (contract 6.13). */
export function restoreVersion(
  context: SurveyContext,
  { surveyId, versionId, ifMatch }: RestoreVersionRequest,
  call: Call,
): Promise<MessageInitShape<typeof RestoreVersionResponseSchema>> {
  const source = { kind: "version" as const, id: versionId };
  return restoreDraft(context, call, RestoreVersionResponseSchema, { surveyId, ifMatch, source });
}
