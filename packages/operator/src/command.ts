import type { OperatorClient } from "./token-service/connect-operator.ts";

/** What `--json` prints: one object. Secrets are in it only where they are what was asked for. */
export type Result = Readonly<Record<string, unknown>>;

export type Option = {
  /** Of its value, in the help; absent: it is a switch. */
  placeholder?: string;
  required?: true;
  help: string;
  /** Offered by the help and by the shell's completion; the service judges. */
  choices?: readonly string[];
  /** What is wrong with a value, as the rest of the sentence `--limit is "x", but it …`. */
  fault?: (value: string) => string | undefined;
};

type ValueOf<O extends Option> = O extends { placeholder: string }
  ? O extends { required: true }
    ? string
    : string | undefined
  : boolean | undefined;

export type Values<Options extends Record<string, Option>> = { [Name in keyof Options]: ValueOf<Options[Name]> };

/** What a command works with. */
export type Session = {
  /** A client of the token service, connected at the first call. */
  operator: () => Promise<OperatorClient>;
};

export type Command<Options extends Record<string, Option> = Record<string, Option>> = {
  /** The words that call it, the group first. */
  words: readonly [group: string, verb: string];
  summary: string;
  /** A whole command line without its first word. */
  example: string;
  /** By name in camel case: `ownerName` is `--owner-name`. In the order in which they are shown. */
  options: Options;
  run: (values: Values<Options>, session: Session) => Promise<Result>;
  /** For people; absent: one line for each property. */
  show?: (result: Result) => string;
};

/** A command as the table of commands holds it; `run` gets its values by the types of its options. */
export function defineCommand<const Options extends Record<string, Option>>(command: Command<Options>): Command {
  return command as unknown as Command;
}
