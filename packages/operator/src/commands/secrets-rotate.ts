import { urlViolation, showProperties } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";

type Rotation = {
  keyId: string;
  resumed: boolean;
  resealed: number;
  complete: boolean;
  keys: { keyId: string; secrets: number; unknown: boolean }[];
  removableKeyIds: string[];
};

export const secretsRotate = defineCommand({
  words: ["secrets", "rotate"],
  summary: "Seal the signing secrets of all webhooks with a new key, while everything runs",
  example: "secrets rotate",
  options: {
    webhookService: {
      placeholder: "url",
      help: "a webhook service elsewhere, with CANVASS_OPERATOR_KEY",
      violation: urlViolation,
    },
  },
  async run(_values, { connectSecrets, progress }): Promise<Rotation> {
    let rotation: Rotation | undefined;
    for await (const { resealed, outcome } of (await connectSecrets()).rotateSecretsKey({})) {
      progress(`${resealed} secrets sealed anew`);
      if (!outcome) continue;
      const keys = outcome.keys.map(({ keyId, secrets, unknown }) => ({ keyId, secrets: Number(secrets), unknown }));
      const complete = keys.every(({ keyId }) => keyId === outcome.keyId);
      const { keyId, resumed, removableKeyIds } = outcome;
      rotation = { keyId, resumed, resealed: Number(resealed), complete, keys, removableKeyIds };
    }
    progress(undefined);
    if (!rotation)
      throw new OperationalError("The rotation was interrupted. No secret is lost; run the command again.");
    return rotation;
  },
  show: (result) => showRotation(result as unknown as Rotation),
  isRefused: ({ complete }) => complete !== true,
});

function showRotation({ keyId, resumed, resealed, complete, keys, removableKeyIds }: Rotation): string {
  const sealing = keys.map((key) => `${key.keyId}: ${key.secrets} secrets${key.unknown ? ", which do not open" : ""}`);
  return showProperties({
    "new key": resumed ? `${keyId}, made by a rotation that did not end` : keyId,
    "sealed anew": resealed,
    keys: sealing.join("; ") || "none has a secret to seal",
    outcome: complete ? "complete" : "not complete: run the command again",
    "no longer needed in CANVASS_SECRETS_KEY": removableKeyIds.join(", ") || undefined,
  });
}
