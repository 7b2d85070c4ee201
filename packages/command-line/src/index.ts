export { commandsFor } from "./command.ts";
export type { Audience, Command, Option, Result, Surroundings, Values } from "./command.ts";
export { createCommandProgram, type CommandProgram, type Output, type ProgramText } from "./command-program.ts";
export { EXIT, UnreachableError, UsageError } from "./errors.ts";
export { urlViolation, numberViolation } from "./option-violations.ts";
export { runCommandLine } from "./run-command-line.ts";
export { showProperties } from "./show-properties.ts";
export { listenForStop } from "./stop-signal.ts";
export { jsonLine } from "./visible.ts";
