import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RotateSecretsKeyRequest, RotateSecretsKeyResponseSchema } from "@canvass/proto/webhook-operator";
import type { WebhookContext } from "../context.ts";
import { beginRotation, endRotation, sealSecretsAnew } from "../application/keys/rotate-secrets-key.ts";

/** After an interruption old and new keys are in use. All secrets can still be opened. */
export async function* rotateSecretsKey(
  context: WebhookContext,
  _request: RotateSecretsKeyRequest,
): AsyncGenerator<MessageInitShape<typeof RotateSecretsKeyResponseSchema>> {
  const { box, resumed } = await beginRotation(context);
  let resealed = 0;
  for await (const batch of sealSecretsAnew(context, box)) {
    resealed += batch;
    yield { resealed: BigInt(resealed) };
  }
  const counts = await endRotation(context, box);
  const keys = [...counts].map(([keyId, secrets]) => ({
    keyId,
    secrets: BigInt(secrets),
    unknown: !box.keyIds.includes(keyId),
  }));
  // The first configured key seals the stored keys, so it stays.
  const removableKeyIds = context.secretKeys.configured.keyIds.slice(1).filter((keyId) => !counts.has(keyId));
  context.log.info({ keyId: box.keyId, resealed, resumed }, "the key of webhook secrets was rotated");
  yield { resealed: BigInt(resealed), outcome: { keyId: box.keyId, resumed, keys, removableKeyIds } };
}
