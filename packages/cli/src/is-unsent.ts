import { systemErrorCode } from "@canvass/provisioning";

const codes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);

/** Whether a connection failed before anything was sent, so the receiver got nothing. */
export const isUnsent = (error: unknown): boolean => codes.has(systemErrorCode(error));
