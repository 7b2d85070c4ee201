import { isCountryCode, newId } from "@canvass/inputs";
import type { SurveySettings } from "@canvass/questions";
import { answerIdRoom } from "./answer-id.ts";
import type { PublishedVersion } from "./published-version.ts";
import { recordedTime } from "./recorded-time.ts";
import type { NewRespondent, RespondentDetails } from "./respondent-state.ts";
import type { SurveyRef } from "./survey-ref.ts";

/** Who starts, where and when. */
export interface Start extends SurveyRef {
  version: Pick<PublishedVersion, "versionId" | "versionNumber">;
  privacy: SurveySettings["privacy"];
  isTest: boolean;
  /** IANA name, of the workspace. */
  timeZone: string;
  now: Date;
}

/** What a caller tells of a respondent; empty: nothing. */
export type Told = RespondentDetails & Pick<NewRespondent, "country">;

const nothingTold: Told = { language: "", distributorId: "", contactId: "", country: "", metadata: {} };

/** A respondent that starts, with a fresh id. */
export function newRespondent(start: Start, told: Partial<Told> = {}): NewRespondent {
  const { workspaceId, surveyId, version, privacy, isTest, timeZone, now } = start;
  const isAnonymous = privacy.anonymity === "full";
  const { contactId, country, ...kept } = { ...nothingTold, ...told };
  return {
    workspaceId,
    surveyId,
    respondentId: newId(recordedTime(now, isAnonymous, timeZone), answerIdRoom),
    versionId: version.versionId,
    versionNumber: version.versionNumber,
    isTest,
    isAnonymous,
    startedAt: now,
    lastSeenAt: now,
    completedAt: null,
    pageId: "",
    answers: new Map(),
    ...kept,
    // With full anonymity nothing links a respondent to a person.
    contactId: isAnonymous ? "" : contactId,
    country: isAnonymous || !privacy.collectCountry || !isCountryCode(country) ? "" : country,
  };
}
