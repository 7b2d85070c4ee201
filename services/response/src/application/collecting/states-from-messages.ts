import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Link as LinkMessage } from "@canvass/proto/distribution-links";
import type { Collection as CollectionMessage } from "@canvass/proto/survey";
import type { Link } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { CollectingSurvey } from "../../storage/collecting/collecting-surveys.ts";

export function surveyFromMessage({ workspaceId, surveyId }: SurveyRef, message: CollectionMessage): CollectingSurvey {
  const { revision, active, versionId, versionNumber, settingsJson, hasPassword } = message;
  const settings = settingsJson === "" ? "{}" : settingsJson;
  return {
    workspaceId,
    surveyId,
    revision: String(revision),
    active,
    versionId,
    versionNumber,
    settingsJson: settings,
    hasPassword,
    isHeld: false,
  };
}

export function linkFromMessage(message: LinkMessage): Link {
  const { workspaceId, surveyId, distributorId, found, code, type, status, hasPassword, timeZone } = message;
  const { revision, opensAt, closesAt, responseLimit } = message;
  return {
    workspaceId,
    surveyId,
    distributorId,
    revision: String(revision),
    found,
    code,
    isHeld: false,
    type,
    status,
    opensAt: opensAt ? timestampDate(opensAt) : null,
    closesAt: closesAt ? timestampDate(closesAt) : null,
    responseLimit: responseLimit === undefined ? null : Number(responseLimit),
    hasPassword,
    timeZone,
  };
}
