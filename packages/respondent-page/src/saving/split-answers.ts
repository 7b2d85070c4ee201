import { mostAnswers } from "@canvass/questions";
import type { Submission } from "./link-api.ts";

type Responses = Submission["responses"];

/** Half the body limit (contract 1.6), because one answer may exceed it and a body has other fields. */
const mostBytes = 512 * 1_024;

/** Splits answers into submissions of at most `mostAnswers` and `mostBytes`; one answer alone may have more bytes. */
export function splitAnswers(responses: Responses): Responses[] {
  let part: Responses = [];
  let bytes = 0;
  const parts = [part];
  for (const response of responses) {
    const weight = new TextEncoder().encode(JSON.stringify(response)).length;
    if (part.length === mostAnswers || (part.length > 0 && bytes + weight > mostBytes)) {
      parts.push((part = []));
      bytes = 0;
    }
    part.push(response);
    bytes += weight;
  }
  return parts;
}
