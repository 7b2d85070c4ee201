import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { CallerSchema, type Caller } from "@canvass/proto/access";
import { LRUCache } from "lru-cache";
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";

/** Returns `<Caller message>.<Ed25519 signature>` in base64url. Only the token service has the private key to sign. */
export function signCaller(caller: Caller, privateKey: KeyObject): string {
  const payload = toBinary(CallerSchema, caller);
  const signature = sign(null, payload, privateKey);
  return `${Buffer.from(payload).toString("base64url")}.${signature.toString("base64url")}`;
}

/** Parses a PKCS8 DER key in base64 (`CANVASS_CALLER_PRIVATE_KEY`). Throws unless it is Ed25519. */
export function callerPrivateKey(base64: string): KeyObject {
  return ed25519(createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" }));
}

/** Parses an SPKI DER key in base64 (`CANVASS_CALLER_PUBLIC_KEY`). Throws unless it is Ed25519. */
export function callerPublicKey(base64: string): KeyObject {
  return ed25519(createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" }));
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== "ed25519") throw new Error("the caller key must be an Ed25519 key");
  return key;
}

/** Returns undefined for a forged, malformed or expired caller. */
export type VerifyCaller = (signed: string) => Caller | undefined;

/** Caches verified callers: the gateway resends each caller thousands of times. */
export function createCallerVerifier(publicKey: KeyObject, now: () => Date): VerifyCaller {
  const verified = new LRUCache<string, { caller: Caller; expiresAt: number }>({ max: 10_000 });
  return (signed) => {
    const known = verified.get(signed);
    const entry = known ?? open(signed, publicKey);
    if (!entry || entry.expiresAt <= now().getTime()) return undefined;
    if (!known) verified.set(signed, entry);
    return entry.caller;
  };
}

function open(signed: string, publicKey: KeyObject): { caller: Caller; expiresAt: number } | undefined {
  const [payloadText, signatureText, ...rest] = signed.split(".");
  if (!payloadText || !signatureText || rest.length > 0) return undefined;
  const payload = Buffer.from(payloadText, "base64url");
  if (!verify(null, payload, publicKey, Buffer.from(signatureText, "base64url"))) return undefined;
  const caller = fromBinary(CallerSchema, payload);
  return { caller, expiresAt: caller.expiresAt ? timestampDate(caller.expiresAt).getTime() : 0 };
}

export function newCaller(fields: Parameters<typeof create<typeof CallerSchema>>[1]): Caller {
  return create(CallerSchema, fields);
}
