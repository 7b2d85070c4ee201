import {
  Command as CommanderCommand,
  Help,
  Option as CommanderOption,
  type ErrorOptions,
  type HelpContext,
} from "commander";
import type { Audience, Command, Option, Result, Surroundings } from "./command.ts";
import { UsageError } from "./errors.ts";

/** Errors after which parsing can continue. */
const COLLECTED = new Set([
  "commander.missingMandatoryOptionValue",
  "commander.missingArgument",
  "commander.optionMissingArgument",
  "commander.unknownOption",
  "commander.excessArguments",
]);

export class CommandProgram extends CommanderCommand {
  readonly #violations: string[];

  constructor(name?: string, violations: string[] = []) {
    super(name);
    this.#violations = violations;
  }

  override createCommand(name?: string): CommandProgram {
    return new CommandProgram(name, this.#violations);
  }

  override error(message: string, options?: ErrorOptions): never {
    const { code = "" } = options ?? {};
    if (!COLLECTED.has(code)) return super.error(message, options);
    // Commander takes the value of an unknown option for an extra argument.
    const isConsequence =
      code === "commander.excessArguments" && this.#violations.some((violation) => violation.startsWith("unknown"));
    if (!isConsequence) this.#violations.push(oneLine(message));
    return undefined as never;
  }

  addTableOption(name: string, { placeholder, positional, required, help, choices, violation }: Option): void {
    if (positional) return this.#addPositional({ placeholder, required, help, choices, violation });
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const option = new CommanderOption(placeholder ? `${flag} <${placeholder}>` : flag, help);
    option.makeOptionMandatory(required === true);
    if (choices) option.argChoices = [...choices];
    if (violation) option.argParser((value: string) => this.#validate(flag, value, violation));
    this.addOption(option);
    let times = 0;
    this.on(`option:${option.name()}`, () => {
      if ((times += 1) === 2) this.#violations.push(`${flag} is given more than once`);
    });
  }

  #addPositional({ placeholder = "value", required, help, choices, violation }: Omit<Option, "positional">): void {
    const argument = this.createArgument(required ? `<${placeholder}>` : `[${placeholder}]`, help);
    if (choices) argument.argChoices = [...choices];
    if (violation) argument.argParser((value: string) => this.#validate(placeholder, value, violation));
    this.addArgument(argument);
  }

  /** Reports an unknown command in `token nope --help`, too. */
  override helpInformation(context?: HelpContext): string {
    const [word = "-"] = this.args;
    if (this.commands.length > 0 && !word.startsWith("-")) find(this, word);
    return super.helpInformation(context);
  }

  #validate(flag: string, value: string, violationOf: (value: string) => string | undefined): string {
    const wrong = violationOf(value);
    // Hide everything before an @, which may contain a password.
    if (wrong !== undefined) this.#violations.push(`${flag} is "${value.replace(/.*@/s, "…@")}", but it ${wrong}`);
    return value;
  }

  usageError(): UsageError | undefined {
    if (this.#violations.length === 0) return undefined;
    return new UsageError(`${this.#violations.join("; ")}; see ${pathOf(this)} --help.`);
  }
}

const JSON_OPTION: Option = { help: "print one JSON object" };

export type Output = { out: (text: string) => void; err: (text: string) => void; isTerminal?: boolean };

export type ProgramText = {
  name: string;
  description: string;
  /** The end of the help. */
  epilogue: string;
};

/** Runs the command that was found. */
export type RunFound = (
  command: Command,
  /** Runs it within its session. */
  run: (around: Surroundings) => Promise<Result>,
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Returns the parser of a program's commands, with their help. */
export function createCommandProgram(
  { name, description, epilogue }: ProgramText,
  audiences: readonly Audience[],
  run: RunFound,
  { out, err }: Output,
): CommandProgram {
  const program = new CommandProgram(name);
  program.configureOutput({ writeOut: out, writeErr: err, outputError: () => {} });
  program.description(description);
  program.exitOverride().showSuggestionAfterError();
  program.configureHelp({
    showGlobalOptions: true,
    optionDescription: (option) => new Help().optionDescription(option) + (option.mandatory ? " (required)" : ""),
  });
  program.addTableOption("json", JSON_OPTION);
  program.addHelpText("after", `${allCommands(audiences)}\n\n${epilogue}`);
  // Commander's own help command takes only one word.
  program.helpCommand(false);
  const help = program.command("help").argument("[command...]").description("display help for a command");
  help.action((words: string[]) => words.reduce(find, program as CommanderCommand).outputHelp());
  for (const audience of audiences) {
    for (const command of audience.commands) addCommand(program, audience, command, run);
  }
  return program;
}

function allCommands(audiences: readonly Audience[]): string {
  const lines = audiences.flatMap(({ commands }) => commands.map(({ words }) => words.join(" ").length));
  const width = Math.max(...lines);
  return audiences
    .map(({ heading, commands }) => {
      const listed = commands.map(({ words, summary }) => `  ${words.join(" ").padEnd(width)}  ${summary}`);
      return `\n${heading}:\n${listed.join("\n")}`;
    })
    .join("\n");
}

function addCommand(program: CommandProgram, audience: Audience, command: Command, run: RunFound): void {
  const [first, verb] = command.words;
  const parent = verb === undefined ? program : groupOf(program, audience, first);
  const added = parent.command(verb ?? first) as CommandProgram;
  if (verb === undefined) added.helpGroup(`${audience.heading}:`);
  added.description(command.summary).addHelpText("after", `\nExample:\n  ${program.name()} ${command.example}`);
  const options = { ...command.options, ...audience.options };
  for (const [name, option] of Object.entries(options)) added.addTableOption(name, option);
  const positional = Object.keys(options).filter((name) => options[name]!.positional);
  added.action(async () => {
    // Commander reports only the first unknown option.
    for (const flag of added.args.filter((word) => word.startsWith("-")).slice(1))
      added.error(`unknown option '${flag}'`, { code: "commander.unknownOption" });
    const error = added.usageError();
    if (error) throw error;
    const given = Object.fromEntries(positional.map((name, index) => [name, added.processedArgs[index] as unknown]));
    const values = { ...added.optsWithGlobals(), ...given };
    await run(command, (around) => audience.run(command, values, around), values);
  });
}

function groupOf(program: CommandProgram, { heading, groups }: Audience, name: string): CommanderCommand {
  const made = program.commands.find((group) => group.name() === name);
  return made ?? program.command(name).description(groups[name]!).helpGroup(`${heading}:`);
}

function find(program: CommanderCommand, name: string): CommanderCommand {
  const found = program.commands.find((command) => command.name() === name);
  return found ?? program.error(`unknown command '${name}'`, { code: "commander.unknownCommand" });
}

function pathOf(command: CommanderCommand): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Returns commander's message and suggestion on one line, without prefix, full stop and passwords of addresses. */
export function oneLine(message: string): string {
  return message
    .replace(/^error: /, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(\/\/|:(?!\/\/))\S*@/g, "$1…@")
    .replace(/\.$/, "");
}
