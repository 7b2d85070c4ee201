import { shapeViolations, type Violation } from "@canvass/inputs";
import type { JsonObject } from "@canvass/values";
import type { TObject } from "typebox";
import { checkCondition } from "../conditions/check-condition.ts";
import { conditionInput } from "../conditions/condition-input.ts";

/** Returns the violations of a body of `table-bodies.ts` that do not depend on the survey. */
export function tableShapeViolations(schema: TObject, body: JsonObject): Violation[] {
  const violations = shapeViolations(schema, body);
  if (body["where"] !== undefined) checkCondition(conditionInput, body["where"], "where", violations);
  return violations;
}
