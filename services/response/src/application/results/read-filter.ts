import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Violation } from "@canvass/inputs";
import type { ResultFilter as GivenMessage } from "@canvass/proto/response";
import type { SurveyDefinition } from "@canvass/questions";
import type { ResponseContext } from "../../context.ts";
import { readResultFilter, type FilterContext } from "../../domain/results/read-result-filter.ts";
import type { ResultFilter } from "../../domain/results/result-filter.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";

/** The definition of a survey without published versions. */
export const unpublished: SurveyDefinition = { pages: [] };

/** Returns the definition that a survey collects now; one without questions before it is published. */
export async function collectedDefinition(
  { surveys }: Pick<ResponseContext, "surveys">,
  { workspaceId, surveyId }: SurveyRef,
): Promise<SurveyDefinition> {
  const { versionId } = await surveys.collectingState({ workspaceId, surveyId });
  if (versionId === "") return unpublished;
  return (await surveys.version({ workspaceId, surveyId, versionId })).definition;
}

/** Reads a filter by the version that collects; undefined if nothing is filtered. Adds all violations. */
export function readFilter(
  { completed, from, to, distributorId, language, fields, versionNumber, whereJson }: GivenMessage,
  collecting: FilterContext,
  violations: Violation[],
): ResultFilter | undefined {
  return readResultFilter(
    {
      ...(completed !== undefined && { isCompleted: completed }),
      ...(from && { from: timestampDate(from) }),
      ...(to && { to: timestampDate(to) }),
      ...(distributorId !== undefined && { distributorId }),
      ...(language !== undefined && { language }),
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(versionNumber !== undefined && { versionNumber }),
      ...(whereJson !== undefined && { whereJson }),
    },
    collecting,
    violations,
  );
}
