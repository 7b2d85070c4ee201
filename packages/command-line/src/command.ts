import type { Environment } from "@canvass/provisioning";

/** The object that `--json` prints. Contains secrets only if they were requested. */
export type Result = Readonly<Record<string, unknown>>;

export type Option = {
  /** The value's name in the help. Without it, the option is a switch. */
  placeholder?: string;
  /** The value has no flag: it stands behind the command's words. */
  positional?: true;
  required?: true;
  help: string;
  /** For help and completion only; `violation` or the service validates the value. */
  choices?: readonly string[];
  /** Returns the end of the sentence `--limit is "x", but it ...` for an invalid value. */
  violation?: (value: string) => string | undefined;
};

type ValueOf<O extends Option> = O extends { placeholder: string }
  ? O extends { required: true }
    ? string
    : string | undefined
  : boolean | undefined;

export type Values<Options extends Record<string, Option>> = { [Name in keyof Options]: ValueOf<Options[Name]> };

/** The environment of a command. */
export type Surroundings = {
  env: Environment;
  /** True: standard output belongs to programs. */
  json: boolean;
  /** Prints lines before the result. */
  print: (text: string) => void;
  /** Prints lines for people on standard error. */
  note: (text: string) => void;
  /** Shows progress on a terminal; `undefined` clears it. Does nothing without a terminal. */
  progress: (line: string | undefined) => void;
};

export type Command<Session = never, Options extends Record<string, Option> = Record<string, Option>> = {
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

/** Returns the function that defines commands for one kind of session. */
export function commandsFor<Session>() {
  return <const Options extends Record<string, Option>>(command: Command<Session, Options>): Command<Session> =>
    command as unknown as Command<Session>;
}

/** The commands for one kind of reader: their place in the help, and their session. */
export type Audience<Session = never> = {
  /** Such as `For operators`. */
  heading: string;
  commands: readonly Command<Session>[];
  /** Descriptions of the first words of commands that have two. */
  groups: Readonly<Record<string, string>>;
  /** Taken by each of its commands. */
  options: Readonly<Record<string, Option>>;
  /** Runs one command within its session. */
  run: (command: Command<Session>, values: Readonly<Record<string, unknown>>, around: Surroundings) => Promise<Result>;
};
