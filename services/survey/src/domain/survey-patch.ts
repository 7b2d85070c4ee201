import type { Plan } from "@canvass/access";
import { AppError } from "@canvass/errors";
import {
  givenSurveyFields,
  requireUpdates,
  shapeViolations,
  validationFailed,
  type Violation,
  type SurveyFields,
} from "@canvass/inputs";
import { isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import {
  applySettingsPatch,
  checkSettingsPatch,
  fixedSettingViolations,
  settablePathsText,
  updateSurveyBody,
  type SurveySettingsPatch,
} from "@canvass/questions";
import { requireSettingsPlan } from "./plan-rules.ts";

export interface PatchedSurvey {
  active: boolean;
  settings: SurveySettingsPatch;
  /** Whether the survey has responses. Matters, and is asked, only if the patch names a setting that responses fix. */
  hasResponses: boolean;
}

export interface SurveyPatch {
  fields: Partial<SurveyFields>;
  /** The complete new settings. Values at the paths in `secrets` (`access.password`) are still plain text. */
  settings: SurveySettingsPatch;
  secrets: string[];
}

/** Throws `invalid_request` if the body of `PATCH /surveys/{id}` names nothing to change (contract 2.4). */
export function requireSurveyUpdates(body: JsonObject): void {
  requireUpdates(updateSurveyBody, body);
  if (Object.keys(body).length === 1 && isEmptyPatch(body["settings"])) {
    throw new AppError("invalid_request", {
      settings: [`must name at least one setting; settable are ${settablePathsText}`],
    });
  }
}

/** Anything but an object of objects is not empty but invalid, which `checkSettingsPatch` reports later. */
function isEmptyPatch(settings: unknown): boolean {
  return isJsonObject(settings) && Object.values(settings).every((group) => isJsonObject(group) && isEmpty(group));
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

/** Validates the body of `PATCH /surveys/{id}` against the survey (contract 6.3). */
export function readSurveyPatch(body: Record<string, unknown>, survey: PatchedSurvey, plan: Plan): SurveyPatch {
  const checked = checkSettingsPatch(settingsOf(body), survey.settings);
  const violations = [...fieldViolations(body, survey.active), ...checked.violations];
  if (survey.hasResponses) violations.push(...fixedSettingViolations(checked.settings, survey.settings));
  if (violations.length > 0) throw validationFailed(violations);
  requireSettingsPlan(checked.settings, plan);
  const settings = applySettingsPatch(survey.settings, checked.settings);
  return { fields: givenSurveyFields(body), settings, secrets: checked.secrets };
}

export function patchShapeViolations(body: Record<string, unknown>): Violation[] {
  return [...fieldViolations(body, undefined), ...checkSettingsPatch(settingsOf(body)).violations];
}

const settingsOf = (body: Record<string, unknown>): unknown =>
  Object.hasOwn(body, "settings") ? body["settings"] : {};

function fieldViolations(body: Record<string, unknown>, active: boolean | undefined): Violation[] {
  return [...shapeViolations(updateSurveyBody, body), ...activeViolations(body, active)];
}

function activeViolations(body: Record<string, unknown>, current: boolean | undefined): Violation[] {
  const active = ownValue(body, "active");
  if (current === undefined || active !== Number(!current)) return [];
  const message = `is ${Number(current)} and cannot be changed here; publish the survey, or pause its links`;
  return [{ path: "active", message }];
}
