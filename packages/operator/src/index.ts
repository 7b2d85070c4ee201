export { readLocalFile, systemFiles } from "./local-file.ts";
export type { Identity, LocalState } from "./local-file.ts";
export { connectOperator } from "./token-service/connect-operator.ts";
export type { OperatorAccess } from "./token-service/connect-operator.ts";
export { findTokenFault } from "./token-service/token-fault.ts";
export type { TokenFault } from "./token-service/token-fault.ts";
export { fillSurvey } from "./fill/fill-survey.ts";
export type { Filled, FillWish } from "./fill/fill-survey.ts";
export { createHttpApi } from "./http-api/http-api.ts";
