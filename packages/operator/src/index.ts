export { connectOperator } from "./connect-operator.ts";
export type { OperatorAccess } from "./connect-operator.ts";
export { readLocalFile, systemFiles } from "./local-file.ts";
export type { Identity, LocalState } from "./local-file.ts";
export { findTokenFault } from "./token-fault.ts";
export type { TokenFault } from "./token-fault.ts";
