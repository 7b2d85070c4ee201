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
  /** Grows with every change that a test makes. */
  revision: bigint;
  /** False: its changes are lost on the way. */
  isPushed: boolean;
  /** It is of the version before, which pushes nothing and knows no revisions. */
  isOld: boolean;
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
    revision: 0n,
    isPushed: true,
    isOld: false,
    hangs: undefined,
    others: new Set(),
    versionsHang: undefined,
  };
}

const lastShown = new WeakMap<SurveyState, string>();

/** How the one survey collects now. */
export function collectionOf(survey: SurveyState) {
  const { found, active, versionNumber, password, settings } = survey;
  const versionId = versionNumber === 0 ? "" : testId(`version${versionNumber}`);
  const shown = JSON.stringify([found, active, versionNumber, password, settings]);
  if (lastShown.get(survey) !== shown) survey.revision += 1n;
  lastShown.set(survey, shown);
  const hasPassword = password !== "";
  const { revision } = survey;
  return { found, active, versionId, versionNumber, settingsJson: JSON.stringify(settings), hasPassword, revision };
}

/** A survey service that answers from memory. */
export function startSurveyDouble(survey: SurveyState): Promise<RpcServer> {
  const isFound = (ref: { workspaceId: string; surveyId: string }) =>
    survey.others.has(ref.surveyId) || (survey.found && ref.workspaceId === workspaceId && ref.surveyId === surveyId);
  return startDouble((router) => {
    router.service(SurveyService, {
      batchGetCollections: async ({ surveys }) => {
        survey.asked += 1;
        const shown = collectionOf(survey);
        await survey.hangs;
        return {
          collections: surveys.map((ref) => ({
            ...shown,
            ...(survey.isOld && { revision: 0n }),
            found: isFound(ref),
            ...(survey.others.has(ref.surveyId) && { versionId: ref.surveyId }),
          })),
        };
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
