import { hash } from "node:crypto";

/** A short digest of a text that was translated: it tells only whether the text has changed. */
export const digestText = (text: string): string => hash("sha256", text).slice(0, 8);
