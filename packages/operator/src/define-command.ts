import { commandsFor } from "@canvass/command-line";
import type { Environment } from "@canvass/provisioning";
import type { HttpApi, HttpApiPlace } from "./http-api/http-api.ts";
import type { OperatorClient, ResultsClient, SecretsClient, TransferClient } from "./token-service/connect-operator.ts";
import type { ServiceName } from "./token-service/find-service.ts";

export type Session = {
  env: Environment;
  /** Connects to the token service. Connections are closed with the session. */
  connectOperator: () => Promise<OperatorClient>;
  connectResults: () => Promise<ResultsClient>;
  connectSecrets: () => Promise<SecretsClient>;
  /** Connects for the transfer of a workspace. Errors name this service until another is connected; those of exports always do. */
  connectTransfers: (service: ServiceName) => Promise<TransferClient>;
  findHttpApi: (given: HttpApiPlace) => Promise<HttpApi>;
  /** Shows progress on a terminal; `undefined` clears it. Does nothing without a terminal. */
  progress: (line: string | undefined) => void;
};

export const defineCommand = commandsFor<Session>();
