import { COMMANDS, type Command } from "./commands.ts";

const EVERYWHERE = {
  "--json": "print one JSON object",
  "--token-service URL": "a token service elsewhere, with CANVASS_OPERATOR_KEY (CANVASS_TLS_*_FILE for https)",
  "--help": "show this",
};

/** All commands at a glance. */
export function usage(): string {
  const commands = Object.entries(COMMANDS).flatMap(([words, command]) => [
    `  ${words} ${synopsis(command)}`,
    `      ${command.help}`,
  ]);
  return [
    "Usage: pnpm canvass COMMAND [OPTIONS]",
    "",
    ...commands,
    "",
    "Everywhere:",
    ...table(EVERYWHERE),
    "",
    "The running system is found by local.json in CANVASS_DATA_DIR (.canvass).",
  ].join("\n");
}

/** One command with its options. */
export function usageOf(words: string, command: Command): string {
  const options = Object.entries(command.options).map(([option, { placeholder, help }]): [string, string] => [
    placeholder ? `--${option} ${placeholder}` : `--${option}`,
    help,
  ]);
  return [
    `Usage: pnpm canvass ${words} ${synopsis(command)}`,
    "",
    `${command.help}.`,
    "",
    ...table({ ...Object.fromEntries(options), ...EVERYWHERE }),
  ].join("\n");
}

function synopsis({ options }: Command): string {
  return Object.entries(options)
    .map(([option, { placeholder, required }]) => {
      const written = placeholder ? `--${option} ${placeholder}` : `--${option}`;
      return required ? written : `[${written}]`;
    })
    .join(" ");
}

function table(rows: Record<string, string>): string[] {
  const width = Math.max(...Object.keys(rows).map((left) => left.length));
  return Object.entries(rows).map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
