import { AppError } from "@canvass/errors";
import { readObject, refuseViolations, type Violation } from "@canvass/inputs";
import { tableShapeViolations, type SurveyDefinition } from "@canvass/questions";
import type { Static, TObject } from "typebox";
import type { ResponseContext } from "../../context.ts";
import { unpublished } from "./read-filter.ts";
import { readTableFilter } from "../../domain/results/tables/read-table-filter.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { RespondentQuery } from "../computations/matching-respondents.ts";

/**
 * Reads the body of a table by the version that collects. `read` adds the violations of its own fields. Throws
 * `survey_not_found`, or `validation_failed` with all violations.
 */
export async function readTable<Schema extends TObject, Read>(
  { surveys }: Pick<ResponseContext, "surveys">,
  ref: SurveyRef,
  { schema, json }: { schema: Schema; json: string },
  read: (body: Static<Schema>, definition: SurveyDefinition, violations: Violation[]) => Read | undefined,
): Promise<{ read: Read; filter: RespondentQuery["filter"] }> {
  const body = readObject(json);
  refuseViolations(tableShapeViolations(schema, body));
  const { found, versionId, versionNumber: latestVersion } = await surveys.collectingState(ref);
  if (!found) throw new AppError("survey_not_found");
  const definition = versionId === "" ? unpublished : (await surveys.version({ ...ref, versionId })).definition;
  const violations: Violation[] = [];
  const table = read(body as Static<Schema>, definition, violations);
  const filter = readTableFilter(body, { definition, latestVersion }, violations);
  refuseViolations(violations);
  return { read: table!, filter };
}
