import { isCountryCode, newId } from "@canvass/values";
import type { SurveySettings } from "@canvass/questions";
import { answerIdCapacity } from "../submissions/answer-id.ts";
import type { PublishedVersion } from "../published-version.ts";
import { recordedTime } from "./recorded-time.ts";
import type { NewRespondent, RespondentDetails } from "./respondent-state.ts";
import type { SurveyRef } from "../survey-ref.ts";

export interface Start extends SurveyRef {
  version: Pick<PublishedVersion, "versionId" | "versionNumber">;
  privacy: SurveySettings["privacy"];
  isTest: boolean;
  timeZone: string;
  now: Date;
}

export type StartDetails = RespondentDetails & Pick<NewRespondent, "country">;

const noDetails: StartDetails = {
  language: "",
  distributorId: "",
  contactId: "",
  country: "",
  metadata: {},
  fields: {},
};

export function newRespondent(start: Start, details: Partial<StartDetails> = {}): NewRespondent {
  const { workspaceId, surveyId, version, privacy, isTest, timeZone, now } = start;
  const isAnonymous = privacy.anonymity === "full";
  const startedAt = isAnonymous ? recordedTime(now, true, timeZone) : offMidnight(now);
  const { contactId: contactFromMessage, country, ...given } = { ...noDetails, ...details };
  // Under partial or full anonymity nothing links a respondent to a person.
  const contactId = privacy.anonymity === "none" ? contactFromMessage : "";
  return {
    workspaceId,
    surveyId,
    respondentId: newId(startedAt, answerIdCapacity),
    versionId: version.versionId,
    versionNumber: version.versionNumber,
    isTest,
    isAnonymous,
    hasContact: contactId !== "",
    startedAt,
    lastSeenAt: isAnonymous ? startedAt : now,
    completedAt: null,
    exactStartedAt: isAnonymous ? now : null,
    exactSeenAt: isAnonymous ? now : null,
    pageId: "",
    answerWeight: 0,
    answers: new Map(),
    ...given,
    contactId,
    country: isAnonymous || !privacy.collectCountry || !isCountryCode(country) ? "" : country,
  };
}

const dayMs = 86_400_000;

/** At midnight UTC `newId` gives an id that sorts anywhere within the day. */
function offMidnight(at: Date): Date {
  return at.getTime() % dayMs === 0 ? new Date(at.getTime() + 1) : at;
}
