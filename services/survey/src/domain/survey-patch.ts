import type { Plan } from "@canvass/access";
import { AppError } from "@canvass/errors";
import {
  givenSurveyFields,
  requireUpdates,
  shapeFaults,
  validationFailed,
  type Fault,
  type SurveyFields,
} from "@canvass/inputs";
import { isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import {
  applySettingsPatch,
  checkSettingsPatch,
  fixedByResponses,
  settable,
  updateSurveyBody,
  type SurveySettingsPatch,
} from "@canvass/questions";
import { requireSettingsPlan } from "./plan-rules.ts";

/** What is known of a survey that decides over its patch. */
export interface PatchedSurvey {
  active: boolean;
  settings: SurveySettingsPatch;
  /** Whether anybody has answered it; decides over settings that responses fix, and need be true only for a patch of these. */
  hasResponses: boolean;
}

export interface SurveyPatch {
  fields: Partial<SurveyFields>;
  /** All that is stored from now on. Values at the places in `secrets` (`access.password`) are still plain. */
  settings: SurveySettingsPatch;
  secrets: string[];
}

/** Throws `invalid_request` when the body of `PATCH /surveys/{id}` names nothing to change (contract 2.4). */
export function requireSurveyUpdates(body: JsonObject): void {
  requireUpdates(updateSurveyBody, body);
  if (Object.keys(body).length === 1 && isEmptyPatch(body["settings"])) {
    throw new AppError("invalid_request", { settings: [`must name at least one setting; settable are ${settable}`] });
  }
}

/** Whatever is not an object of objects is wrong rather than empty, and is said so later. */
function isEmptyPatch(settings: unknown): boolean {
  return isJsonObject(settings) && Object.values(settings).every((group) => isJsonObject(group) && isEmpty(group));
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

/**
 * Judges the body of `PATCH /surveys/{id}` against the survey as it is (contract 6.3). Throws
 * `validation_failed` with every fault, or `feature_locked` for a valid patch the plan does not include.
 */
export function readSurveyPatch(body: Record<string, unknown>, survey: PatchedSurvey, plan: Plan): SurveyPatch {
  const checked = checkSettingsPatch(settingsOf(body), survey.settings);
  const faults = [...fieldFaults(body, survey.active), ...checked.faults];
  if (survey.hasResponses) faults.push(...fixedByResponses(checked.settings, survey.settings));
  if (faults.length > 0) throw validationFailed(faults);
  requireSettingsPlan(checked.settings, plan);
  const settings = applySettingsPatch(survey.settings, checked.settings);
  return { fields: givenSurveyFields(body), settings, secrets: checked.secrets };
}

/** What is wrong with the body whatever the survey is like. */
export function patchShapeFaults(body: Record<string, unknown>): Fault[] {
  return [...fieldFaults(body, undefined), ...checkSettingsPatch(settingsOf(body)).faults];
}

const settingsOf = (body: Record<string, unknown>): unknown =>
  Object.hasOwn(body, "settings") ? body["settings"] : {};

function fieldFaults(body: Record<string, unknown>, active: boolean | undefined): Fault[] {
  return [...shapeFaults(updateSurveyBody, body), ...activeFaults(body, active)];
}

function activeFaults(body: Record<string, unknown>, current: boolean | undefined): Fault[] {
  const active = ownValue(body, "active");
  if (current === undefined || active !== Number(!current)) return [];
  const message = `is ${Number(current)} and cannot be changed here; publish the survey, or pause its links`;
  return [{ path: "active", message }];
}
