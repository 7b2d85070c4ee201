import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import type { ListTranslationsRequest, ListTranslationsResponseSchema } from "@canvass/proto/survey-translations";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { surveyTranslationStatus } from "../domain/survey-translation-status.ts";
import { surveyTag } from "./survey-message.ts";
import { readTranslatedSnapshot } from "./translated-snapshot.ts";

const mostPlaces = 100;

/** Returns for each offered language the number of translated, missing and outdated texts (contract 6.17). */
export async function listTranslations(
  context: SurveyContext,
  { surveyId }: ListTranslationsRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListTranslationsResponseSchema>> {
  const { survey, translated } = await readTranslatedSnapshot(context, { workspaceId, surveyId });
  const languages = await runInSlices(surveyTranslationStatus(survey, translated, mostPlaces));
  return { languages, etag: surveyTag(survey) };
}
