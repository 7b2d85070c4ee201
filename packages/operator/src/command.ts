import type { HttpApi, HttpApiPlace } from "./http-api/http-api.ts";
import type { ServiceName } from "./token-service/find-service.ts";
import type { OperatorClient, ResultsClient, SecretsClient, TransferClient } from "./token-service/connect-operator.ts";

/** The object that `--json` prints. Contains secrets only if they were requested. */
export type Result = Readonly<Record<string, unknown>>;

export type Option = {
  /** The value's name in the help; absent: a switch. */
  placeholder?: string;
  required?: true;
  help: string;
  /** For help and completion only; the service validates. */
  choices?: readonly string[];
  /** The rest of the sentence `--limit is "x", but it ...`. */
  fault?: (value: string) => string | undefined;
};

type ValueOf<O extends Option> = O extends { placeholder: string }
  ? O extends { required: true }
    ? string
    : string | undefined
  : boolean | undefined;

export type Values<Options extends Record<string, Option>> = { [Name in keyof Options]: ValueOf<Options[Name]> };

export type Session = {
  env: Readonly<Record<string, string | undefined>>;
  /** Connects at the first call, as do the next three. */
  operator: () => Promise<OperatorClient>;
  results: () => Promise<ResultsClient>;
  secrets: () => Promise<SecretsClient>;
  /** For moving workspaces. Later failures are reported as this service's. */
  transfers: (service: ServiceName) => Promise<TransferClient>;
  /** The HTTP API, at the given address or that of the running system. */
  api: (given: HttpApiPlace) => Promise<HttpApi>;
  /** Shows progress on a terminal; `undefined` clears it. Does nothing without a terminal. */
  progress: (line: string | undefined) => void;
};

export type Command<Options extends Record<string, Option> = Record<string, Option>> = {
  /** Group first, or a single word. */
  words: readonly [group: string, verb: string] | readonly [name: string];
  summary: string;
  /** Without the first word. */
  example: string;
  /** By camel-case name (`ownerName` is `--owner-name`), in display order. */
  options: Options;
  run: (values: Values<Options>, session: Session) => Promise<Result>;
  /** Output for people. Default: one line per property. */
  show?: (result: Result) => string;
  /** Whether to exit with the code of a refusal. Default: no. */
  isRefused?: (result: Result) => boolean;
};

export function defineCommand<const Options extends Record<string, Option>>(command: Command<Options>): Command {
  return command as unknown as Command;
}
