import type { MessageInitShape } from "@bufbuild/protobuf";
import { refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { ListVersionsRequest, ListVersionsResponseSchema } from "@canvass/proto/survey-versions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { listVersions as findVersions } from "../storage/versions.ts";
import { requireSurvey } from "./require-survey.ts";
import { toVersionMessage } from "./version-message.ts";

/** Lists one page of a survey's versions, newest first (contract 2.7). */
export async function listVersions(
  { database: { prisma, sql }, cursors }: SurveyContext,
  { surveyId, ...request }: ListVersionsRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListVersionsResponseSchema>> {
  const page = openPage<[versionNumber: number]>(cursors, ["versions", workspaceId, surveyId], request);
  refuseViolations(page.violations);
  const survey = await requireSurvey(sql, { workspaceId, surveyId });
  const found = await findVersions(prisma, survey, { before: page.after?.[0], limit: page.fetch });
  const { rows, ...end } = page.cut(found, ({ versionNumber }) => [versionNumber]);
  return { ...end, versions: rows.map(toVersionMessage) };
}
