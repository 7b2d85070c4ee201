import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { refuseViolations, requireIfMatch } from "@canvass/inputs";
import {
  ImportTranslationResponseSchema,
  TranslationFormat,
  type ImportTranslationRequest,
} from "@canvass/proto/survey-translations";
import { translationOf } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { digestText } from "../domain/digest-text.ts";
import { requireOffered } from "../domain/survey-languages.ts";
import { readCsv } from "../application/translation-files/csv.ts";
import type { FileEntry } from "../application/translation-files/file-entry.ts";
import { importedTexts } from "../application/translation-files/imported-texts.ts";
import { withIds } from "../application/translation-files/named-texts.ts";
import { readingPo } from "../application/translation-files/po.ts";
import { requireLockedMatchingSurvey } from "./require-survey.ts";
import { storeTranslation } from "./store-translation.ts";
import { surveyTag } from "./survey-message.ts";
import { readTranslated } from "./translated-snapshot.ts";
import { write } from "./write.ts";

/** Merges a translators' file into a draft's translation, all or nothing (contract 6.17). */
export function importTranslation(
  context: SurveyContext,
  { surveyId, language, ifMatch, format, text }: ImportTranslationRequest,
  call: Call,
): Promise<MessageInitShape<typeof ImportTranslationResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  return write(context, call, ImportTranslationResponseSchema, async (sql) => {
    requireIfMatch(ifMatch);
    const survey = await requireLockedMatchingSurvey(sql, ref, ifMatch);
    const tag = requireOffered(survey, language);
    const translated = await readTranslated(sql, survey);
    const places = await runInSlices(translationOf(translated, tag, digestText));
    const entries = withIds(await readFile(format, text), translated.definition, places);
    const { texts, outdated, violations } = importedTexts(entries, places);
    refuseViolations(violations);
    const input = { language: tag, texts, merges: true };
    const written = await storeTranslation(sql, survey, translated, input, context.now(), call);
    return { written: Object.keys(texts).length, outdated, etag: surveyTag(written) };
  });
}

async function readFile(format: TranslationFormat, text: string): Promise<FileEntry[]> {
  if (format === TranslationFormat.PO) return runInSlices(readingPo(text));
  if (format === TranslationFormat.CSV) return readCsv(text);
  // A gateway of another version may send a format that this version does not have.
  throw new AppError("service_unavailable");
}
