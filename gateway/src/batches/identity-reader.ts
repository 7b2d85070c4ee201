import { AppError } from "@canvass/errors";
import { callOptions, fromErrorDetail } from "@canvass/rpc";
import type { Authentication } from "@canvass/proto/token";
import type { ServiceClients } from "../clients/service-clients.ts";
import type { Credential, Identity } from "./identity.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export function identityReader({ tokens }: ServiceClients, requestTimeoutMs: number) {
  const call = createRpcBatcher<Credential, Authentication>({
    deadlineMs: requestTimeoutMs,
    send: async (credentials, timeoutMs) => {
      const { authentications } = await tokens.batchAuthenticate({ credentials }, callOptions({ timeoutMs }));
      return authentications;
    },
  });
  return async (credential: Credential): Promise<Identity> => toIdentity(await call(credential));
}

function toIdentity({ outcome }: Authentication): Identity {
  if (outcome.case === "error") throw fromErrorDetail(outcome.value);
  const { caller, signedCaller } = outcome.value ?? {};
  if (!caller || !signedCaller) throw new AppError("internal_error");
  return { caller, signedCaller, held: new Set(caller.scopes), permitted: new Set(caller.permissions) };
}
