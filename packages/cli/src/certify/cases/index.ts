import type { CertificationCase } from "../certification-case.ts";
import { deliveryCases } from "./delivery-cases.ts";
import { eventCases } from "./event-cases.ts";
import { firstAnswerCases } from "./first-answer-cases.ts";
import { refusedCases } from "./refused-cases.ts";

/** In the order in which they run. The last may end the receiver. */
export const cases: readonly CertificationCase[] = [
  ...firstAnswerCases,
  ...eventCases,
  ...refusedCases,
  ...deliveryCases,
];
