import { definitionOf, eventCatalogue, type EventType } from "./event-catalogue.ts";

const kept = (Object.keys(eventCatalogue) as EventType[]).filter((type) => definitionOf(type).consumers.length > 0);

/** Returns the types of events that a process publishes and consumes, without those that have no consumers. */
export function eventsOf(name: string): { publishes: EventType[]; consumes: EventType[] } {
  return {
    publishes: kept.filter((type) => definitionOf(type).sources.includes(name)),
    consumes: kept.filter((type) => definitionOf(type).consumers.some(({ service }) => service === name)),
  };
}
