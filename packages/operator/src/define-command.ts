import { commandsFor } from "@canvass/command-line";
import type { Environment } from "@canvass/provisioning";
import type { HttpApi, HttpApiPlace } from "./http-api/http-api.ts";
import type { OperatorClient, ResultsClient, SecretsClient, TransferClient } from "./token-service/connect-operator.ts";
import type { ServiceName } from "./token-service/find-service.ts";

export type Session = {
  env: Environment;
  /** Connects at the first call, as the next three do. */
  operator: () => Promise<OperatorClient>;
  results: () => Promise<ResultsClient>;
  secrets: () => Promise<SecretsClient>;
  /** For transfers of workspaces. Errors after this call name the service. */
  transfers: (service: ServiceName) => Promise<TransferClient>;
  api: (given: HttpApiPlace) => Promise<HttpApi>;
  /** Shows progress on a terminal; `undefined` clears it. Does nothing without a terminal. */
  progress: (line: string | undefined) => void;
};

export const defineCommand = commandsFor<Session>();
