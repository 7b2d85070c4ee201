import { consumersOf } from "./event-catalogue.ts";
import type { ProcessDefinition } from "./process-definition.ts";

/** Services that a process calls, for its work or to deliver events by RPC. */
export function callsOf({ name, asks }: Pick<ProcessDefinition, "name" | "asks">): string[] {
  return [...new Set([...asks, ...consumersOf(name).map(({ service }) => service)])];
}
