import type { ErrorCode } from "@canvass/errors";

export interface TokenWords {
  message: string;
  suggestion: string;
  /** The `WWW-Authenticate` of the response (RFC 9110, 11.6.1). */
  challenge: string;
}

const challenge = 'X-Respondent-Token realm="canvass"';

/** Texts for refused session tokens of respondents. The texts of the catalogue are about API tokens. */
export const sessionWords: Partial<Record<ErrorCode, TokenWords>> = {
  unauthorized: {
    message: "This operation needs the session token of its respondent.",
    suggestion: "Send the `sessionToken` that starting the respondent answered, in the header `X-Respondent-Token`.",
    challenge,
  },
  invalid_token: {
    message: "The session token is not one of this respondent and this link.",
    suggestion:
      "Send the `sessionToken` that starting this respondent answered, whole and with the code it was started by; if it is lost, start a respondent anew.",
    challenge: `${challenge}, error="invalid_token"`,
  },
};
