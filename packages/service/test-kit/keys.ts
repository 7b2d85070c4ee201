import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newCaller, signCaller } from "@canvass/access";
import { generateKeyPairSync, randomBytes } from "node:crypto";

const callerKeys = generateKeyPairSync("ed25519");

/** Keys shared by all processes of a test file. */
export const testKeys = {
  peerKey: randomBytes(32).toString("base64"),
  callerPublicKey: callerKeys.publicKey,
  callerPublic: callerKeys.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  callerPrivate: callerKeys.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
} as const;

/** After any test's time. */
const never = timestampFromDate(new Date("2100-01-01T00:00:00Z"));

export function signedPerson(fields: Parameters<typeof newCaller>[0] = {}): string {
  const person = { workspaceId: "workspace0000001", personId: "person0000000001", tokenId: "token00000000001" };
  const caller = newCaller({ ...person, plan: "enterprise", live: true, expiresAt: never, ...fields });
  return signCaller(caller, callerKeys.privateKey);
}
