import { AppError } from "@canvass/errors";
import {
  refuseViolations,
  shapeViolations,
  uploadFileBody,
  uploadLinkFileBody,
  validationFailed,
} from "@canvass/inputs";
import type { FileUpload } from "@canvass/proto/files";
import { hasExtension, findElement, type FileRules, type SurveySettings } from "@canvass/questions";
import type { ResponseContext } from "../../context.ts";
import { notCollecting, requireCollecting, requirePromisedPrivacy } from "../../domain/collecting.ts";
import { cleanFileName } from "../../domain/files/file-name.ts";
import type { RespondentState } from "../../domain/respondents/respondent-state.ts";
import { requireLinkCollecting } from "../../domain/links/link.ts";
import { readSession } from "../links/session.ts";
import { requireRespondent } from "../respondents/require-respondent.ts";
import type { FileOrigin } from "../../storage/files/uploads.ts";
import type { ValidatedAgainst } from "../collecting/is-outdated.ts";

export interface ValidatedUpload extends FileOrigin {
  elementId: string;
  isTest: boolean;
  /** The respondent's, even if the survey promises less privacy by now; without a respondent, the survey's. */
  isAnonymous: boolean;
  validatedAgainst: ValidatedAgainst;
  contactId: string;
  timeZone: string;
  name: string;
  rules: FileRules;
}

interface Uploader extends FileOrigin {
  live: boolean;
  timeZone: string;
  contactId: string;
  linkRevision?: string;
}

/** Validates all but the content: the uploader, the survey, the respondent, the question and the file's name. */
export async function validateUpload(
  context: ResponseContext,
  upload: FileUpload,
  now: Date,
): Promise<ValidatedUpload> {
  const uploader =
    upload.by.case === "session" ? await findLinkUploader(context, upload, now) : findCaller(context, upload);
  const { workspaceId, surveyId, respondentId, distributorId, clientKey, live, timeZone } = uploader;
  const { contactId, linkRevision } = uploader;
  const collectingState = await context.surveys.collectingState({ workspaceId, surveyId });
  requireCollecting(collectingState, now);
  const respondent = respondentId === "" ? undefined : await requireRespondent(context, uploader);
  if (respondent && !live && !respondent.isTest) throw new AppError("respondent_not_found");
  if (respondent) {
    requirePromisedPrivacy({ ...respondent, hasContact: respondent.contactId !== "" }, collectingState.settings);
    requireChangeable(respondent, collectingState.settings);
  }
  const { versionId } = respondent ?? collectingState;
  const { definition } = await context.surveys.version({ workspaceId, surveyId, versionId });
  const rules = rulesOf(findElement(definition, upload.elementId));
  const name = cleanFileName(upload.name);
  if (!hasExtension(name, rules.extensions)) {
    throw new AppError("file_type_not_allowed", { extensions: rules.extensions });
  }
  return {
    workspaceId,
    surveyId,
    elementId: upload.elementId,
    respondentId,
    distributorId,
    clientKey,
    isTest: respondent?.isTest ?? !live,
    isAnonymous: respondent?.isAnonymous ?? collectingState.settings.privacy.anonymity === "full",
    validatedAgainst: { survey: collectingState.revision, ...(linkRevision !== undefined && { link: linkRevision }) },
    contactId,
    timeZone,
    name,
    rules,
  };
}

function requireChangeable({ completedAt, isScreenedOut }: RespondentState, { collection }: SurveySettings): void {
  if (isScreenedOut) throw notCollecting("screened_out");
  if (completedAt === null || collection.editAfterSubmit === "always") return;
  const message = "takes no file any more: this respondent has completed the survey";
  throw validationFailed([{ path: "elementId", message }]);
}

function rulesOf(found: ReturnType<typeof findElement>): FileRules {
  const rules = found?.type.fileRules?.(found.question);
  if (!rules)
    throw validationFailed([{ path: "elementId", message: "is not a question of this survey that takes files" }]);
  return rules;
}

function findCaller({ verifyCaller }: ResponseContext, upload: FileUpload): Uploader {
  const caller = verifyCaller(upload.by.case === "caller" ? upload.by.value : "");
  if (!caller) throw new AppError("unauthorized");
  const { surveyId, elementId, respondentId } = upload;
  refuseViolations(
    shapeViolations(uploadFileBody, { surveyId, elementId, ...(respondentId && { respondentId }), file: "" }),
  );
  const { workspaceId, live, timeZone } = caller;
  return { workspaceId, surveyId, respondentId, distributorId: "", clientKey: "", live, timeZone, contactId: "" };
}

async function findLinkUploader({ cursors, links }: ResponseContext, upload: FileUpload, now: Date): Promise<Uploader> {
  const { code = "", sessionToken = "", clientKey = "" } = upload.by.case === "session" ? upload.by.value : {};
  const session = readSession(cursors, code, sessionToken);
  if (upload.respondentId !== session.respondentId) throw new AppError("invalid_token");
  refuseViolations(shapeViolations(uploadLinkFileBody, { elementId: upload.elementId, file: "" }));
  const link = await links.bySession(session);
  if (!link.found) throw new AppError("distributor_not_found");
  requireLinkCollecting(link, now);
  const { workspaceId, surveyId, respondentId, distributorId } = session;
  const contactId = (await links.contactOf(session)) ?? "";
  const { timeZone, revision: linkRevision } = link;
  const by = { distributorId, clientKey, contactId, linkRevision };
  return { workspaceId, surveyId, respondentId, ...by, live: true, timeZone };
}
