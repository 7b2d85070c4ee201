import {
  Command as CommanderCommand,
  Help,
  Option as CommanderOption,
  type ErrorOptions,
  type HelpContext,
} from "commander";
import type { Command, Option } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands/index.ts";
import { addressFault } from "./commands/options.ts";
import { UsageError } from "./errors.ts";

/** Errors after which parsing can continue. */
const COLLECTED = new Set([
  "commander.missingMandatoryOptionValue",
  "commander.optionMissingArgument",
  "commander.unknownOption",
  "commander.excessArguments",
]);

export class CanvassProgram extends CommanderCommand {
  readonly #faults: string[];

  constructor(name?: string, faults: string[] = []) {
    super(name);
    this.#faults = faults;
  }

  override createCommand(name?: string): CanvassProgram {
    return new CanvassProgram(name, this.#faults);
  }

  override error(message: string, options?: ErrorOptions): never {
    const { code = "" } = options ?? {};
    if (!COLLECTED.has(code)) return super.error(message, options);
    // Commander takes the value of an unknown option for an extra argument.
    const isConsequence =
      code === "commander.excessArguments" && this.#faults.some((fault) => fault.startsWith("unknown"));
    if (!isConsequence) this.#faults.push(oneLine(message));
    return undefined as never;
  }

  addTableOption(name: string, { placeholder, required, help, choices, fault }: Option): void {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const option = new CommanderOption(placeholder ? `${flag} <${placeholder}>` : flag, help);
    option.makeOptionMandatory(required === true);
    if (choices) option.argChoices = [...choices];
    if (fault) option.argParser((value: string) => this.#validate(flag, value, fault));
    this.addOption(option);
    let times = 0;
    this.on(`option:${option.name()}`, () => {
      if ((times += 1) === 2) this.#faults.push(`${flag} is given more than once`);
    });
  }

  /** Reports an unknown command in `token nope --help`, too. */
  override helpInformation(context?: HelpContext): string {
    const [word = "-"] = this.args;
    if (this.commands.length > 0 && !word.startsWith("-")) find(this, word);
    return super.helpInformation(context);
  }

  #validate(flag: string, value: string, fault: (value: string) => string | undefined): string {
    const wrong = fault(value);
    // Hide everything before an @, which may contain a password.
    if (wrong !== undefined) this.#faults.push(`${flag} is "${value.replace(/.*@/s, "…@")}", but it ${wrong}`);
    return value;
  }

  usageError(): UsageError | undefined {
    if (this.#faults.length === 0) return undefined;
    return new UsageError(`${this.#faults.join("; ")}; see ${pathOf(this)} --help.`);
  }
}

const EVERYWHERE: Readonly<Record<string, Option>> = {
  json: { help: "print one JSON object" },
  tokenService: {
    placeholder: "url",
    help: "a token service elsewhere, with CANVASS_OPERATOR_KEY (CANVASS_TLS_*_FILE for https)",
    fault: addressFault,
  },
};

export type Output = { out: (text: string) => void; err: (text: string) => void; isTerminal?: boolean };

const width = Math.max(...COMMANDS.map(({ words }) => words.join(" ").length));
const EPILOGUE = `
All commands:
${COMMANDS.map(({ words, summary }) => `  ${words.join(" ").padEnd(width)}  ${summary}`).join("\n")}

The running system is found by local.json in CANVASS_DATA_DIR (.canvass).
Exit codes: 0 done, 1 refused, 2 wrong command line, 3 service not reached.`;

export type RunCommand = (command: Command, options: Readonly<Record<string, unknown>>) => Promise<void>;

export function createCanvassProgram(run: RunCommand, { out, err }: Output): CanvassProgram {
  const program = new CanvassProgram("canvass");
  program.configureOutput({ writeOut: out, writeErr: err, outputError: () => {} });
  program.description("Manages workspaces, people, roles, tokens and results, for operators; fills surveys for trials");
  program.exitOverride().showSuggestionAfterError();
  program.configureHelp({
    showGlobalOptions: true,
    optionDescription: (option) => new Help().optionDescription(option) + (option.mandatory ? " (required)" : ""),
  });
  for (const [name, option] of Object.entries(EVERYWHERE)) program.addTableOption(name, option);
  program.addHelpText("after", EPILOGUE);
  // Commander's own help command takes only one word.
  program.helpCommand(false);
  const help = program.command("help").argument("[command...]").description("display help for a command");
  help.action((words: string[]) => words.reduce(find, program as CommanderCommand).outputHelp());
  for (const command of COMMANDS) addCommand(program, command, run);
  return program;
}

function addCommand(program: CanvassProgram, command: Command, run: RunCommand): void {
  const [first, verb] = command.words;
  const added = (verb === undefined ? program : groupOf(program, first)).command(verb ?? first) as CanvassProgram;
  added.description(command.summary).addHelpText("after", `\nExample:\n  canvass ${command.example}`);
  for (const [name, option] of Object.entries(command.options)) added.addTableOption(name, option);
  added.action(async () => {
    // Commander reports only the first unknown option.
    for (const flag of added.args.filter((word) => word.startsWith("-")).slice(1))
      added.error(`unknown option '${flag}'`, { code: "commander.unknownOption" });
    const fault = added.usageError();
    if (fault) throw fault;
    await run(command, added.optsWithGlobals());
  });
}

function groupOf(program: CanvassProgram, name: string): CommanderCommand {
  const group = program.commands.find((made) => made.name() === name);
  return group ?? program.command(name).description(GROUPS[name]!);
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
