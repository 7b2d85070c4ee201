import { systemErrorCode } from "@canvass/provisioning";

const codes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);

/** Whether the error of a connection came before anything was sent, so that nobody has received it. */
export const neverSent = (error: unknown): boolean => codes.has(systemErrorCode(error));
