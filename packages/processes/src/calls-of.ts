import { consumersOf } from "@canvass/events/catalogue";
import type { ProcessDefinition } from "./process-definition.ts";

/** The services that a process calls: those it asks, and those that take its events over by RPC, each once. */
export function callsOf({ name, asks }: Pick<ProcessDefinition, "name" | "asks">): string[] {
  return [...new Set([...asks, ...consumersOf(name).map(({ service }) => service)])];
}
