import { Code, ConnectError } from "@connectrpc/connect";
import { SurveyService } from "@canvass/proto/survey-service";
import type { RpcServer } from "@canvass/rpc";
import type { SurveyDefinition, SurveySettingsPatch } from "@canvass/questions";
import { startDouble } from "@canvass/service/testing";
import { surveyId, testId, workspaceId } from "./questions.ts";

/** The survey service's state of the one survey. Tests change it freely. */
export interface SurveyState {
  found: boolean;
  active: boolean;
  versionNumber: number;
  settings: SurveySettingsPatch;
  /** Empty: none. */
  password: string;
  /** Keyed by version number. */
  versions: Map<number, SurveyDefinition>;
  /** Number of requests about how the survey collects. Their responses wait for `hangs`. */
  asked: number;
  /** Grows with every change by a test. */
  revision: bigint;
  /** False: changes are lost on the way. */
  isPushed: boolean;
  /** Behaves like the previous version, which pushes nothing and knows no revisions. */
  isOld: boolean;
  hangs: Promise<void> | undefined;
  /**
   * Other surveys, which exist in every workspace. Each has one version, with the survey's id and the first definition.
   */
  others: Set<string>;
  /** Requests for versions of these workspaces wait for `until`. */
  versionsHang: { workspaces: Set<string>; until: Promise<void> } | undefined;
  /** Languages that each version is translated into. */
  languages: Set<string>;
  /** Requests for translations fail. */
  losesTranslations: boolean;
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
    languages: new Set(),
    losesTranslations: false,
  };
}

/** Publishes a definition as the next version. */
export function publishNext(survey: SurveyState, definition: SurveyDefinition): void {
  const next = survey.versionNumber + 1;
  // Version ids are padded with zeros: version 10 would have the id of version 1.
  survey.versionNumber = next % 10 === 0 ? next + 1 : next;
  survey.versions.set(survey.versionNumber, definition);
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

/** Starts an in-memory survey service. */
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
        if (survey.losesTranslations && versions.some(({ language }) => language !== "")) {
          throw new ConnectError("away", Code.Unavailable);
        }
        const versionOf = ({ versionId }: { versionId: string }) => {
          const versionNumber = Number(/^version(\d+?)0*$/.exec(versionId)?.[1] ?? 1);
          const definitionJson = JSON.stringify(survey.versions.get(versionNumber));
          return { versionId, versionNumber, definitionJson, languages: [...survey.languages] };
        };
        return { versions: versions.map(versionOf) };
      },
    });
  });
}
