import type { Backup, RestoredDraft } from "@canvass/proto/survey-drafts";
import { Type } from "typebox";
import { requireMessage } from "../require-message.ts";
import { dateTime, id, named, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

/** A backup of a draft as callers see it (contract 6.13). */
export const backupSchema = named("Backup", {
  backupId: id,
  reason: words(["auto", "manual", "before_publish", "before_restore"]),
  questionCount: Type.Integer(),
  createdBy: Type.String({ description: "the person who made it" }),
  createdAt: dateTime,
});

export function backupView({ backupId, reason, questionCount, createdBy, createdAt }: Backup) {
  return { backupId, reason, questionCount, createdBy, createdAt: isoTime(createdAt) };
}

export const restoredDraftSchema = named("RestoredDraft", {
  backupId: Type.String({ description: "the backup of the draft before the restore" }),
  questionCount: Type.Integer(),
  hasUnpublishedChanges: Type.Boolean(),
});

export function restoredDraftView({ backup, questionCount, hasUnpublishedChanges }: RestoredDraft) {
  return { backupId: requireMessage(backup).backupId, questionCount, hasUnpublishedChanges };
}
