import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import {
  TranslationFormat,
  type GetTranslationRequest,
  type GetTranslationResponseSchema,
} from "@canvass/proto/survey-translations";
import { translationOf, type TranslatedPlace } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { digestText } from "../domain/digest-text.ts";
import { requireOffered } from "../domain/survey-languages.ts";
import { writingCsv } from "../application/translation-files/csv.ts";
import { withNames } from "../application/translation-files/named-texts.ts";
import { writingPo } from "../application/translation-files/po.ts";
import { surveyTag } from "./survey-message.ts";
import { readTranslatedSnapshot } from "./translated-snapshot.ts";

/** Returns the translation of the draft into a language (contract 6.17). */
export async function getTranslation(
  context: SurveyContext,
  { surveyId, language, format }: GetTranslationRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetTranslationResponseSchema>> {
  const { survey, translated } = await readTranslatedSnapshot(context, { workspaceId, surveyId });
  const tag = requireOffered(survey, language);
  const places = await runInSlices(translationOf(translated, tag, digestText));
  const etag = surveyTag(survey);
  const shown = () => withNames(places, translated.definition);
  if (format === TranslationFormat.PO) return { file: await runInSlices(writingPo(shown(), tag)), etag };
  if (format === TranslationFormat.CSV) return { file: await runInSlices(writingCsv(shown())), etag };
  return { textsJson: textsJson(places), etag };
}

/** Returns the translated texts by place as a JSON object, in the survey's order. */
export function textsJson(places: readonly TranslatedPlace[]): string {
  const given = places.filter(({ target }) => target !== null);
  return `{${given.map(({ place, target }) => `${JSON.stringify(place)}:${JSON.stringify(target)}`).join(",")}}`;
}
