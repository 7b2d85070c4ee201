import { AppError } from "@canvass/errors";
import type { CursorCodec } from "@canvass/postgres";
import { randomBytes } from "node:crypto";
import type { DistributorRef } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";

/** A respondent that came by a link, as its token proves. */
export interface Session extends SurveyRef, DistributorRef {
  respondentId: string;
  /** Id of the link for one person, or empty. */
  linkId: string;
  /** 128 random bits, so that a token cannot be derived from ids. */
  nonce: string;
}

export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/** Signs a session with an HMAC, bound to its link's code. Deterministic, so stored responses need not contain it. */
export function signSession(cursors: CursorCodec, code: string, session: Session): string {
  const { workspaceId, surveyId, respondentId, distributorId, linkId, nonce } = session;
  const parts = [workspaceId, surveyId, respondentId, distributorId, linkId, nonce];
  return `${workspaceId}.${cursors.encode(bindingOf(code), parts)}`;
}

export function readSession(cursors: CursorCodec, code: string, token: string): Session {
  const session = findSession(cursors, code, token);
  if (!session) throw new AppError("invalid_token");
  return session;
}

export function findSession(cursors: CursorCodec, code: string, token: string): Session | undefined {
  const dot = token.indexOf(".");
  const parts = cursors.decode(bindingOf(code), token.slice(dot + 1))?.map(String) ?? [];
  const [workspaceId = "", surveyId = "", respondentId = "", distributorId = "", linkId = "", nonce = ""] = parts;
  if (parts.length === 0 || token.slice(0, dot) !== workspaceId) return undefined;
  return { workspaceId, surveyId, respondentId, distributorId, linkId, nonce };
}

const bindingOf = (code: string) => ["respondent session", code];
