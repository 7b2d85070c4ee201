import { SurveyService } from "@canvass/proto/survey";
import type { RpcServer } from "@canvass/rpc";
import type { SurveyDefinition, SurveySettingsPatch } from "@canvass/questions";
import { startDouble } from "@canvass/service/testing";
import { surveyId, testId, workspaceId } from "./questions.ts";

/** What the survey service says of the one survey; tests change it at will. */
export interface SurveyState {
  found: boolean;
  active: boolean;
  versionNumber: number;
  settings: SurveySettingsPatch;
  /** Empty: none. */
  password: string;
  /** By version number. */
  versions: Map<number, SurveyDefinition>;
  /** Questions about how it collects so far, and what their answers wait for. */
  asked: number;
  hangs: Promise<void> | undefined;
  /** Other surveys, which every workspace has; the only version of each has its id and the first definition. */
  others: Set<string>;
  /** The questions for versions of these workspaces wait for this. */
  versionsHang: { workspaces: Set<string>; until: Promise<void> } | undefined;
}

export function surveyState(definition: SurveyDefinition): SurveyState {
  return {
    found: true,
    active: true,
    versionNumber: 1,
    settings: {},
    password: "",
    versions: new Map([[1, definition]]),
    asked: 0,
    hangs: undefined,
    others: new Set(),
    versionsHang: undefined,
  };
}

/** A survey service that answers from memory. */
export function startSurveyDouble(survey: SurveyState): Promise<RpcServer> {
  const isFound = (ref: { workspaceId: string; surveyId: string }) =>
    survey.others.has(ref.surveyId) || (survey.found && ref.workspaceId === workspaceId && ref.surveyId === surveyId);
  const versionIdOf = (ref: { surveyId: string }): string => {
    if (survey.others.has(ref.surveyId)) return ref.surveyId;
    return survey.versionNumber === 0 ? "" : testId(`version${survey.versionNumber}`);
  };
  return startDouble((router) => {
    router.service(SurveyService, {
      batchGetCollections: async ({ surveys }) => {
        survey.asked += 1;
        await survey.hangs;
        const { active, versionNumber } = survey;
        const settingsJson = JSON.stringify(survey.settings);
        const collectionOf = (ref: { workspaceId: string; surveyId: string }) => ({
          found: isFound(ref),
          active,
          versionId: versionIdOf(ref),
          versionNumber,
          settingsJson,
          hasPassword: survey.password !== "",
        });
        return { collections: surveys.map(collectionOf) };
      },
      checkSurveyPassword: async ({ password }) => ({ matches: password !== "" && password === survey.password }),
      batchGetVersions: async ({ versions }) => {
        const { versionsHang } = survey;
        if (versions.some((ref) => versionsHang?.workspaces.has(ref.workspaceId))) await versionsHang!.until;
        const versionOf = ({ versionId }: { versionId: string }) => {
          const versionNumber = Number(/version(\d)/.exec(versionId)?.[1] ?? 1);
          return { versionId, versionNumber, definitionJson: JSON.stringify(survey.versions.get(versionNumber)) };
        };
        return { versions: versions.map(versionOf) };
      },
    });
  });
}
