import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { readObject, requireIfMatch, shapeViolations, translationBody } from "@canvass/inputs";
import { WriteTranslationResponseSchema, type WriteTranslationRequest } from "@canvass/proto/survey-translations";
import { translationOf } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { digestText } from "../domain/digest-text.ts";
import { requireOffered } from "../domain/survey-languages.ts";
import { textsJson } from "./get-translation.ts";
import { requireLockedMatchingSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { storeTranslation } from "./store-translation.ts";
import { surveyTag } from "./survey-message.ts";
import { readTranslated } from "./translated-snapshot.ts";
import { write } from "./write.ts";

/** Replaces a draft's translation into a language, or merges texts into it, all or nothing (contract 6.17). */
export function writeTranslation(
  context: SurveyContext,
  { surveyId, language, ifMatch, bodyJson, merges }: WriteTranslationRequest,
  call: Call,
): Promise<MessageInitShape<typeof WriteTranslationResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const texts = readObject(bodyJson);
  return write(context, call, WriteTranslationResponseSchema, async (sql) => {
    requireIfMatch(ifMatch);
    const find = () => requireLockedMatchingSurvey(sql, ref, ifMatch);
    const survey = await validateShapeOnFailure(() => shapeViolations(translationBody, texts), find);
    const input = { language: requireOffered(survey, language), texts, merges };
    const before = await readTranslated(sql, survey);
    const written = await storeTranslation(sql, survey, before, input, context.now(), call);
    const after = written === survey ? before : await readTranslated(sql, written);
    const places = await runInSlices(translationOf(after, input.language, digestText));
    return { textsJson: textsJson(places), etag: surveyTag(written) };
  });
}
