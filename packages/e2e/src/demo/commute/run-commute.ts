import type { ApiClient } from "../../api-client.ts";
import { firstAnswers, secondAnswers } from "./commute-answers.ts";
import { answerCommuteSurvey, changeCommuteSurvey, publishAgain, publishCommuteSurvey } from "./commute-survey.ts";
import { countAnswers, readCounts } from "./count-answers.ts";
import { printCommute } from "./print-commute.ts";

/** Runs a survey that changes while it collects. Returns whether results over both versions are right. */
export async function runCommute(api: ApiClient): Promise<boolean> {
  const survey = await publishCommuteSurvey(api);
  await answerCommuteSurvey(api, survey, firstAnswers);
  const first = { answered: countAnswers(firstAnswers), shown: await readCounts(api, survey) };
  await changeCommuteSurvey(api, survey);
  const republication = await publishAgain(api, survey);
  await answerCommuteSurvey(api, survey, secondAnswers);
  const both = { answered: countAnswers([...firstAnswers, ...secondAnswers]), shown: await readCounts(api, survey) };
  return printCommute(republication, first, both);
}
