import type { Api, Canvass } from "@canvass/sdk";

/**
 * Copies a survey to its own workspace, or to `copy.workspaceId`: another one of the installation, in which the token's
 * person may write.
 */
export async function copySurvey(canvass: Canvass, surveyId: string, copy: Api.CopySurveyRequest) {
  const { settings } = await canvass.surveys.get(surveyId);
  return copyResult(surveyId, await canvass.surveys.copy(surveyId, copy), settings.access?.password === true);
}

/**
 * Copies a survey by its document to the workspace of another token, without its password, which cannot be read.
 */
export async function copyByDocument(
  from: Canvass,
  to: Canvass,
  surveyId: string,
  copy: Pick<Api.CopySurveyRequest, "name" | "version">,
) {
  const { name, version } = copy;
  const { text } = await from.surveys.document(surveyId, { format: "json", ...(version !== undefined && { version }) });
  const document = JSON.parse(text) as Api.ImportSurveyRequest;
  const { access } = document.settings ?? {};
  const hadPassword = Boolean(access?.password);
  if (hadPassword) delete access!.password;
  if (name !== undefined) document.name = name;
  return copyResult(surveyId, await to.surveys.import(document), hadPassword);
}

function copyResult(copiedFrom: string, { id, name, settings }: Api.Survey, hadPassword: boolean) {
  return { surveyId: id, name, copiedFrom, withoutPassword: hadPassword && settings.access?.password !== true };
}
