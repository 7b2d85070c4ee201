import type { VersionSummary } from "@canvass/proto/survey-versions";
import { Type } from "typebox";
import { dateTime, id } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

export const versionFields = {
  versionId: id,
  versionNumber: Type.Integer(),
  note: Type.String(),
  questionCount: Type.Integer(),
  publishedBy: Type.String({ description: "the person" }),
  publishedAt: dateTime,
};

export function versionView(version: VersionSummary) {
  const { versionId, versionNumber, note, questionCount, publishedBy, publishedAt } = version;
  return { versionId, versionNumber, note, questionCount, publishedBy, publishedAt: isoTime(publishedAt) };
}
