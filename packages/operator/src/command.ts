import type { HttpApi, HttpApiPlace } from "./http-api/http-api.ts";
import type { ServiceName } from "./token-service/find-service.ts";
import type { OperatorClient, ResultsClient, SecretsClient, TransferClient } from "./token-service/connect-operator.ts";

/** The object that `--json` prints. Contains secrets only if they were requested. */
export type Result = Readonly<Record<string, unknown>>;

export type Option = {
  /** The value's name in the help. Without it, the option is a switch. */
  placeholder?: string;
  required?: true;
  help: string;
  /** For help and completion only; the service validates the value. */
  choices?: readonly string[];
  /** Returns the end of the sentence `--limit is "x", but it ...` for an invalid value. */
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

export type Command<Options extends Record<string, Option> = Record<string, Option>> = {
  words: readonly [group: string, verb: string] | readonly [name: string];
  summary: string;
  /** Without the program's name. */
  example: string;
  /** In the order of the help, by camel-case name: `ownerName` is `--owner-name`. */
  options: Options;
  run: (values: Values<Options>, session: Session) => Promise<Result>;
  show?: (result: Result) => string;
  /** True: the command exits with code 1, refused. Default: false. */
  isRefused?: (result: Result) => boolean;
};

export function defineCommand<const Options extends Record<string, Option>>(command: Command<Options>): Command {
  return command as unknown as Command;
}
