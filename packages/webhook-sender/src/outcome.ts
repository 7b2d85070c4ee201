import type { attemptOutcomes, connectionFailures } from "@canvass/inputs";

/** How an attempt ended (contract 8.10). */
export type Outcome = (typeof attemptOutcomes)[number];

/** Why a connection failed (contract 8.10). */
export type FailureReason = (typeof connectionFailures)[number];

const byCode: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ETIMEDOUT: "connect_timeout",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_untrusted",
  // The server sent only its own certificate, and no trusted authority signed it.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_incomplete_chain",
  CERT_HAS_EXPIRED: "tls_expired",
  CERT_NOT_YET_VALID: "tls_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_name_mismatch",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "client_certificate_required",
  EPROTO: "tls_protocol",
};

/** Error codes of other invalid certificates, for example with a weak key or a wrong purpose. */
const CERTIFICATE_FAULT = /^(CERT_|INVALID_|UNABLE_TO_|CRL_|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

export function reasonOfError(error: Error): FailureReason {
  const { code = "" } = error as { code?: string };
  const known = byCode[code];
  if (known !== undefined) return known;
  if (code.startsWith("ERR_SSL_")) return "tls_protocol";
  return CERTIFICATE_FAULT.test(code) ? "tls_untrusted" : "reset";
}
