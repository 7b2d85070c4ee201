import type { Api, Canvass } from "@canvass/sdk";

/** Copies a survey by its document: definition and settings, without its password, which nobody can read. */
export async function copySurvey(from: Canvass, to: Canvass, surveyId: string, name: string | undefined) {
  const { text } = await from.surveys.document(surveyId, { format: "json" });
  const document = JSON.parse(text) as Api.ImportSurveyRequest;
  const { access } = document.settings ?? {};
  const hadPassword = Boolean(access?.password);
  if (hadPassword) delete access!.password;
  if (name !== undefined) document.name = name;
  const copy = await to.surveys.import(document);
  return { surveyId: copy.id, name: copy.name, copiedFrom: surveyId, withoutPassword: hadPassword };
}
