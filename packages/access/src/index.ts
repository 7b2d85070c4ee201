export {
  auditActions,
  auditResources,
  isAuditAction,
  resourceOf,
  type AuditAction,
  type AuditResource,
} from "./audit-actions.ts";
export {
  callerPrivateKey,
  callerPublicKey,
  createCallerVerifier,
  newCaller,
  signCaller,
  type VerifyCaller,
} from "./caller-signing.ts";
export { hashPassword, verifyPassword } from "./hash-password.ts";
export { isLinkCode, newLinkCode } from "./link-code.ts";
export {
  includesWebhooks,
  isPlan,
  planForExportedBytes,
  planForQuestions,
  planForStoredBytes,
  plans,
  planWithWebhooks,
  type Plan,
} from "./plans.ts";
export { scopeRefusal, type Rights } from "./scope-refusal.ts";
export {
  allScopes,
  builtInRoles,
  defaultScopes,
  expandScopes,
  isScope,
  permittedScopes,
  powers,
  scopes,
  type Power,
  type Scope,
} from "./scopes.ts";
export { isTokenValue, newTokenValue, tokenSha256 } from "./token-value.ts";
