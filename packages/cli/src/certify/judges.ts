import type { Judge } from "./certification-case.ts";

const NEVER_GONE = "Answer 410 only to end the webhook: it disables the webhook and cancels its queue (contract 8.5).";
const NO_REDIRECT = "Give Canvass the URL that answers itself: redirects are not followed (contract 8.8).";
const BAD_TLS =
  "Serve a certificate that browsers accept, for this host and with its intermediate certificates, over TLS 1.2 or newer";

/** The receiver takes the event: 2xx. */
export const accepted: Judge = ({ status = 0 }, advice) => {
  if (isSuccess(status)) return undefined;
  return elsewhere(status) ?? advice;
};

/** The receiver refuses the message: 4xx. */
export const refused: Judge = ({ status = 0 }, advice) => {
  if (status >= 400 && status < 500 && status !== 410) return undefined;
  return elsewhere(status) ?? (status < 500 ? advice : `${advice.slice(0, -1)}; ${status} tells of a fault of yours.`);
};

export const connected: Judge = ({ status, reached, failure }, advice) => {
  if (reached === "nothing") return advice;
  if (reached === "connection") return `${BAD_TLS} (contract 8.4, ${failure}).`;
  if (status !== undefined || failure === "timeout") return undefined;
  return `Answer in HTTP/1.1 before the connection is closed (contract 8.8, ${failure}).`;
};

export const inTime: Judge = ({ status }, advice) => (status === undefined ? advice : undefined);
export const unredirected: Judge = ({ status = 0 }, advice) => (isRedirect(status) ? advice : undefined);
export const short: Judge = ({ isLong }, advice) => (isLong ? advice : undefined);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRedirect = (status: number): boolean => status >= 300 && status < 400;

function elsewhere(status: number): string | undefined {
  if (isRedirect(status)) return NO_REDIRECT;
  return status === 410 ? NEVER_GONE : undefined;
}
