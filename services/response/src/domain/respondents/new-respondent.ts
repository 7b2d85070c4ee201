import { isCountryCode, newId } from "@canvass/values";
import { orderSeedOf, type SurveySettings } from "@canvass/questions";
import { answerIdCapacity } from "../submissions/answer-id.ts";
import type { PublishedVersion } from "../published-version.ts";
import { recordedTime } from "./recorded-time.ts";
import type { NewRespondent, RespondentDetails } from "./respondent-state.ts";
import type { SurveyRef } from "../survey-ref.ts";

export interface StartContext extends SurveyRef {
  version: Pick<PublishedVersion, "versionId" | "versionNumber">;
  privacy: SurveySettings["privacy"];
  isTest: boolean;
  timeZone: string;
  now: Date;
}

export type StartDetails = Omit<RespondentDetails, "orderSeed"> &
  Pick<NewRespondent, "country"> & {
    /** Seed of the shuffled orders that the respondent saw before. Null: store none. Absent: derive one from the id. */
    orderSeed?: number | null;
  };

const noDetails: StartDetails = {
  language: "",
  distributorId: "",
  contactId: "",
  country: "",
  metadata: {},
  fields: {},
};

export function newRespondent(start: StartContext, details: Partial<StartDetails> = {}): NewRespondent {
  const { workspaceId, surveyId, version, privacy, isTest, timeZone, now } = start;
  const isAnonymous = privacy.anonymity === "full";
  const startedAt = isAnonymous ? recordedTime(now, true, timeZone) : offMidnight(now);
  const { contactId: givenContactId, country, orderSeed, ...given } = { ...noDetails, ...details };
  // Under partial or full anonymity nothing links a respondent to a person.
  const contactId = privacy.anonymity === "none" ? givenContactId : "";
  const respondentId = newId(startedAt, answerIdCapacity);
  return {
    workspaceId,
    surveyId,
    respondentId,
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
    orderSeed: orderSeed === undefined ? orderSeedOf(respondentId) : orderSeed,
    country: isAnonymous || !privacy.collectCountry || !isCountryCode(country) ? "" : country,
  };
}

const dayMs = 86_400_000;

/** Adds 1 ms at exactly midnight UTC, because `newId` then picks a random time of that day. */
function offMidnight(at: Date): Date {
  return at.getTime() % dayMs === 0 ? new Date(at.getTime() + 1) : at;
}
